"""Recording throws that are made only to test dice, and auditing the dice of an event.

Dice tests: no change is lost. One that is based on an older revision is refused with the current throws, so that the
page can add its own to them. One that only adds to what is stored is accepted whatever it is based on, since the
response to the one before may have been lost. The log has nothing of it.

Audits are asked for by the page that shows them, and computed by the worker:
- An audit can be repeated at any time, even by two workers at once.
- A message that was lost, or a worker that died, costs time only: the page that waits asks for the task again.
- Entries that arrive while it counts leave the audit stale.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.dice.die_data import EventDie
from scorekeeper.dice.models import DiceAudit, DiceTest
from scorekeeper.dice.selectors import count_unsplit_turns, get_log_length, judge_event_dice
from scorekeeper.events.models import Event

MAX_THROWS = 500
MAX_TESTS = 500  # of an event
ASK_AGAIN_AFTER = dt.timedelta(seconds=10)


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


@transaction.atomic
def request_audit(event: Event) -> DiceAudit:
    """Return the last count, and ask for a new one if entries have arrived since."""
    now = timezone.now()
    audit, is_new = DiceAudit.objects.get_or_create(event=event, defaults={"requested_at": now})
    is_due = is_new or now - audit.requested_at > ASK_AGAIN_AFTER
    if is_due and audit.log_length != get_log_length(event):
        DiceAudit.objects.filter(pk=event.pk).update(requested_at=now)
        after_commit("dice.count", event_id=str(event.pk))
    return audit


def count_dice(event_id: UUID) -> None:
    """Count the dice of an event and store what they say; do nothing if the event is gone."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        return
    values = {
        "log_length": get_log_length(event),  # before the entries are read
        "samples": judge_event_dice(event),
        "unsplit_turns": count_unsplit_turns(event),
        "counted_at": timezone.now(),
    }
    # Not `save`: if the event was deleted meanwhile, this row must not come back.
    DiceAudit.objects.filter(pk=event_id).update(**values)
