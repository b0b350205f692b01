"""Throws that are made only to test dice.

Invariants:
- No change is lost: one that is based on an older revision is refused with the current throws, so that the page can
  add its own to them. One that only adds to what is stored is accepted whatever it is based on, since the response to
  the one before may have been lost.
- The log has nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from scorekeeper.dice.die_data import EventDie
from scorekeeper.dice.models import DiceTest
from scorekeeper.events.models import Event

MAX_THROWS = 500
MAX_TESTS = 500  # of an event


class ThrowsSaved(NamedTuple):
    """The throws as they are stored now, and whether the change is part of them."""

    test: DiceTest
    is_accepted: bool


class TooManyTests(Exception):
    """The event has as many tests as it may have."""


@transaction.atomic
def start_test(event: Event, name: str, die: EventDie) -> DiceTest:
    """Start a test of dice.

    Raises:
        TooManyTests: there are enough.
    """
    Event.objects.select_for_update().get(pk=event.pk)
    if event.dice_tests.count() >= MAX_TESTS:
        raise TooManyTests
    return DiceTest.objects.create(event=event, name=name, die=die.to_data(), started_at=timezone.now())


@transaction.atomic
def save_throws(test: DiceTest, revision: int, throws: Sequence[int]) -> ThrowsSaved:
    """Store all throws of a test.

    Args:
        revision: the one that the page had when the first of the new throws was entered.
        throws: positions in the faces of the die, at most `MAX_THROWS`.
    """
    stored = DiceTest.objects.select_for_update().get(pk=test.pk)
    new = list(throws)
    if stored.throws == new:
        return ThrowsSaved(stored, True)
    if stored.revision != revision and new[: len(stored.throws)] != stored.throws:
        return ThrowsSaved(stored, False)
    stored.throws, stored.revision = new, stored.revision + 1
    stored.save(update_fields=["throws", "revision"])
    return ThrowsSaved(stored, True)
