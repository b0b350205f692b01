"""Repeats at a table: the same action from a second phone is logged and stops nobody from playing on."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.scorecards.services.review import decide_review
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = pytest.mark.database


@pytest.fixture
def card(ride: Ride, add_table: AddTable, add_action: AddAction) -> UUID:
    """A table at which two of the crew have recorded the same first throw."""
    card = add_table("Ann")
    add_action(card, make_throw(6, 6), by=make_actor(ride.rita), seen=1)
    assert add_action(card, make_throw(6, 6), by=make_actor(ride.tom), seen=1).outcome == "merged"
    return card


def test_a_phone_that_has_not_seen_the_repeat_plays_on(
    ride: Ride, card: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    assert fetch_table(card).length == 3

    assert add_action(card, BANK, by=make_actor(ride.rita), seen=2).outcome == "recorded"
    assert len(fetch_table(card).list_played_turns()) == 2


def test_a_phone_that_has_seen_it_plays_on(ride: Ride, card: UUID, add_action: AddAction) -> None:
    assert add_action(card, BANK, by=make_actor(ride.tom), seen=3).outcome == "recorded"
    assert add_action(card, make_throw(5), by=make_actor(ride.tom), seen=4).outcome == "recorded"


def test_it_goes_to_review_once_the_first_is_undone_and_counts_if_applied(
    card: UUID, desk: Actor, fetch_table: ReadTable
) -> None:
    (first,) = fetch_table(card).turns.values()

    receipt = correct_actions(desk, uuid4(), card, [CorrectionTarget(first.id, first.seq, None)], "undone")

    assert receipt.outcome == "recorded"
    item = ReviewItem.objects.get()
    assert (item.reason, item.card_id) == ("undone", card)
    decide_review(desk, uuid4(), item.pk, "apply", "it was thrown")
    assert len(fetch_table(card).list_played_turns()) == 1
