"""A card that a page has opened is used under the lock only if it is still the card, and is returned as it became."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import fold_card
from scorekeeper.scorecards.selectors.cards import get_card
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.turns import TurnInput, record_turn_on
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import Actions, list_bike_turns, make_actor, make_paper_turn
from tests.scorekeeper.statements import list_statements

pytestmark = pytest.mark.django_db

AddTurn = Callable[..., Receipt]


@pytest.fixture
def captain(ride: Ride) -> Actor:
    return make_actor(ride.rita)


def open_card(ride: Ride, number: int = 1) -> BikeCard:
    return get_card(ride.contest, ride.slots, ride.bikes[number])


def make_input(ride: Ride, slot: int, actions: Actions, number: int = 1) -> TurnInput:
    return TurnInput(ride.contest.pk, ride.bikes[number].pk, ride.slots[slot - 1].pk, actions)


def check_is_card(ride: Ride, card: BikeCard | None, number: int = 1) -> None:
    """The returned card is what anyone reads from the log."""
    read = open_card(ride, number)
    assert card is not None
    assert (card.turns, card.fold) == (read.turns, read.fold)
    assert (card.length, card.head) == (read.length, read.head)


def test_the_card_is_returned_with_the_turn(ride: Ride, captain: Actor, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    receipt, card = record_turn_on(open_card(ride), captain, uuid4(), make_input(ride, 2, make_paper_turn("aces", 3)))

    assert receipt.outcome == "recorded"
    check_is_card(ride, card)


def test_the_first_turn_of_a_card_is_recorded_on_an_empty_one(ride: Ride, captain: Actor) -> None:
    receipt, card = record_turn_on(open_card(ride), captain, uuid4(), make_input(ride, 1, make_paper_turn("aces", 3)))

    assert receipt.outcome == "recorded"
    check_is_card(ride, card)


def test_while_the_log_is_the_same_its_snapshot_is_not_read(ride: Ride, captain: Actor, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    opened = open_card(ride)
    Chain.objects.update(snapshot="")  # so that a card that is not taken as opened has to be read from the log

    with CaptureQueriesContext(connection) as queries:
        _receipt, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 2, make_paper_turn("aces", 3)))

    assert "SELECT scorecards_entry" not in list_statements(queries)
    check_is_card(ride, card)


def test_a_turn_recorded_meanwhile_on_another_phone_counts(ride: Ride, captain: Actor, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    opened = open_card(ride)
    add_turn(1, 2, make_paper_turn("aces", 3), by=make_actor(ride.tom))

    same_box, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 3, make_paper_turn("aces", 2)))
    assert same_box.outcome == "refused"
    check_is_card(ride, card)
    conflict, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 2, make_paper_turn("twos", 2)))
    assert conflict.outcome == "conflict"
    check_is_card(ride, card)
    repeat, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 2, make_paper_turn("aces", 3)))
    assert repeat.outcome == "merged"
    check_is_card(ride, card)
    recorded, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 3, make_paper_turn("twos", 2)))
    assert recorded.outcome == "recorded"
    check_is_card(ride, card)
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "aces", 3), (3, "twos", 2)]


def test_a_card_opened_by_other_rules_or_a_damaged_one_is_not_used(
    ride: Ride, captain: Actor, add_turn: AddTurn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    opened = open_card(ride)
    empty = replace(opened, turns={}, fold=fold_card(opened.contest, {}))  # the same head, but nothing on it

    for slot, wrong in (
        (2, replace(empty, contest=replace(opened.contest, rules_digest="other"))),
        (3, replace(empty, damaged_from=1)),
    ):
        receipt, card = record_turn_on(wrong, captain, uuid4(), make_input(ride, slot, make_paper_turn("chance", 9)))
        assert receipt.outcome == "refused"
        check_is_card(ride, card)


def test_after_a_duplicate_the_card_has_to_be_read(ride: Ride, captain: Actor) -> None:
    operation, turn = uuid4(), make_input(ride, 1, make_paper_turn("chance", 20))
    first, _card = record_turn_on(open_card(ride), captain, operation, turn)

    again, card = record_turn_on(open_card(ride), captain, operation, turn)

    assert again == first
    assert card is None
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_if_the_bike_was_merged_meanwhile_the_card_has_to_be_read(
    ride: Ride, captain: Actor, desk: Actor, add_turn: AddTurn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 2, make_paper_turn("aces", 3))
    opened = open_card(ride)
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "the same bike")

    receipt, card = record_turn_on(opened, captain, uuid4(), make_input(ride, 3, make_paper_turn("twos", 2)))

    assert receipt.outcome == "recorded"
    assert card is None
    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (2, "aces", 3), (3, "twos", 2)]


def test_the_state_before_a_turn_is_that_of_the_earlier_turns(ride: Ride, add_turn: AddTurn) -> None:
    for ordinal, box in ((3, "aces"), (1, "twos"), (5, "threes")):
        add_turn(1, ordinal, make_paper_turn(box, 6 if box != "aces" else 3))
    card = open_card(ride)

    for ordinal, slot in enumerate(ride.slots, 1):
        earlier = {
            turn.id: turn
            for turn in card.turns.values()
            if turn.slot_id and card.contest.get_ordinal(turn.slot_id) < ordinal
        }
        state = fold_card(card.contest, earlier).state
        assert card.get_state_before(slot.pk) == state
        assert replace(card, fold=replace(card.fold, states_before={})).get_state_before(slot.pk) == state
