"""Repeats at a table: the same action from a second phone stays in the log and stops nobody from playing on."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.settling import settle_at_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, Look, throw


@pytest.fixture
def card(ride: Ride, deal: Deal, act: Act) -> UUID:
    """A table at which two of the crew have recorded the same first throw."""
    card = deal("Ann")
    act(card, throw(6, 6), by=actor(ride.rita), seen=1)
    assert act(card, throw(6, 6), by=actor(ride.tom), seen=1).outcome == "merged"
    return card


def test_whoever_has_not_seen_the_repeat_plays_on(ride: Ride, card: UUID, act: Act, look: Look) -> None:
    assert look(card).length == 3

    assert act(card, BANK, by=actor(ride.rita), seen=2).outcome == "recorded"
    assert look(card).fold.played == 2


def test_whoever_has_seen_it_plays_on(ride: Ride, card: UUID, act: Act) -> None:
    assert act(card, BANK, by=actor(ride.tom), seen=3).outcome == "recorded"
    assert act(card, throw(5), by=actor(ride.tom), seen=4).outcome == "recorded"


def test_it_waits_once_the_first_is_undone_and_counts_when_the_organiser_says_so(
    card: UUID, desk: Actor, look: Look
) -> None:
    (first,) = look(card).noted.values()

    receipt = correct_actions(desk, uuid4(), card, [Target(first.id, first.seq, None)], "undone")

    assert receipt.outcome == "recorded"
    item = ReviewItem.objects.get()
    assert (item.reason, item.card_id) == ("undone", card)
    settle_at_table(desk, uuid4(), item.pk, "apply", "it was thrown")
    assert look(card).fold.played == 1
