"""Repeats: an equal turn from a second phone stays in the log, and goes to review once the first is voided."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import organiser
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)

pytestmark = pytest.mark.database

__all__ = ["organiser"]

FULL_HOUSE = make_final_turn([2, 2, 2, 3, 3], "full_house")
SAME_DICE = make_final_turn([3, 2, 3, 2, 2], "full_house")
OTHER_DICE = make_final_turn([3, 3, 3, 2, 2], "full_house")


@pytest.fixture
def repeat(ride: Ride, add_turn) -> UUID:
    """Two crew members record the same turn of bike 1; return the id of the second operation."""
    add_turn(1, 1, FULL_HOUSE)
    operation = uuid4()
    assert add_turn(1, 1, SAME_DICE, by=make_actor(ride.tom), operation=operation).outcome == "merged"
    return operation


def _turn(ride: Ride, number: int = 1) -> Turn:
    return Turn.objects.get(card=get_bike_card(ride, ride.bikes[number]), slot=ride.slots[0])


def _amend(ride: Ride, actions: list | None, slot_id: UUID | None = None) -> None:
    turn = _turn(ride)
    target = CorrectionTarget(turn.pk, turn.seq, actions, slot_id)
    bike = ride.bikes[1].pk
    assert amend_turns(make_actor(ride.rita), uuid4(), ride.contest.pk, bike, [target], "misread").outcome == "recorded"


def test_a_repeat_is_in_the_chain_with_its_dice_and_scores_nothing(ride: Ride, repeat: UUID) -> None:
    entry = Entry.objects.latest("seq")

    assert (entry.kind, entry.operation_id, entry.slot_id) == ("repeat", repeat, ride.slots[0].pk)
    data = json.loads(entry.body)["data"]
    assert data["turn"] == str(_turn(ride).pk)
    assert data["by"] == str(repeat)
    assert data["actions"][0]["dice"] == [3, 2, 3, 2, 2]
    assert list_bike_turns(ride, 1) == [(1, "full_house", 25)]
    assert list(list_damage(ride.event)) == []


def test_the_standings_include_a_repeat_so_that_verify_finds_nothing(ride: Ride, add_turn) -> None:
    add_turn(1, 1, FULL_HOUSE)
    refresh_standings(ride.contest.pk)

    assert add_turn(1, 1, SAME_DICE, by=make_actor(ride.tom)).outcome == "merged"
    refresh_standings(ride.contest.pk)

    assert list(list_damage(ride.event)) == []


def test_its_receipt_names_its_entry(ride: Ride, add_turn) -> None:
    add_turn(1, 1, FULL_HOUSE)

    receipt = add_turn(1, 1, FULL_HOUSE, by=make_actor(ride.tom))

    entry = Entry.objects.latest("seq")
    assert [entry_data["hash"] for entry_data in receipt.entries] == [entry.hash]


def test_other_dice_of_equal_worth_are_a_conflict(ride: Ride, add_turn) -> None:
    add_turn(1, 1, FULL_HOUSE)

    assert add_turn(1, 1, OTHER_DICE, by=make_actor(ride.tom)).outcome == "conflict"


def test_a_card_can_be_recorded_on_after_a_repeat(ride: Ride, repeat: UUID, add_turn) -> None:
    assert add_turn(1, 2, make_paper_turn("chance", 20)).outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "full_house", 25), (2, "chance", 20)]


def test_it_goes_to_review_once_the_first_is_voided(ride: Ride, repeat: UUID, desk: Actor, organiser: Client) -> None:
    _amend(ride, None)

    item = ReviewItem.objects.get()
    assert (item.operation_id, item.reason, item.slot_id) == (repeat, "undone", ride.slots[0].pk)
    assert item.card_id == get_bike_card(ride, ride.bikes[1]).pk
    page = organiser.get(f"/desk/events/{ride.event.slug}/review/").content.decode()
    assert "The same entry was recorded first and later voided" in page

    decide_review(desk, uuid4(), item.pk, "apply", "Tom saw it")
    assert list_bike_turns(ride, 1) == [(1, "full_house", 25)]
    assert list(list_damage(ride.event)) == []


def test_it_can_be_dismissed(ride: Ride, repeat: UUID, desk: Actor) -> None:
    _amend(ride, None)

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "keep", "it was another bike")

    assert list_bike_turns(ride, 1) == []


def test_it_goes_to_review_once_the_first_is_moved_to_another_bike(ride: Ride, repeat: UUID) -> None:
    turn = _turn(ride)
    bikes = ride.bikes[1].pk, ride.bikes[2].pk

    receipt = move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, *bikes, turn.pk, turn.seq, "wrong bike")

    assert receipt.outcome == "recorded"
    assert ReviewItem.objects.get().card_id == get_bike_card(ride, ride.bikes[1]).pk


def test_it_goes_to_review_once_the_first_is_moved_to_another_slot(ride: Ride, repeat: UUID) -> None:
    _amend(ride, FULL_HOUSE, ride.slots[1].pk)

    assert ReviewItem.objects.get().slot_id == ride.slots[0].pk


def test_a_correction_in_the_same_slot_does_not_affect_it(ride: Ride, repeat: UUID) -> None:
    _amend(ride, make_paper_turn("chance", 20))

    assert not ReviewItem.objects.exists()


def test_it_goes_to_review_only_once_however_often_the_slot_is_voided(ride: Ride, repeat: UUID, add_turn) -> None:
    _amend(ride, None)
    add_turn(1, 1, FULL_HOUSE)
    _amend(ride, None)

    assert ReviewItem.objects.count() == 1


def test_it_moves_with_its_turn_when_bikes_are_merged(ride: Ride, repeat: UUID, desk: Actor) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "one bike")
    turn = _turn(ride, 2)
    assert not ReviewItem.objects.exists()

    void = CorrectionTarget(turn.pk, turn.seq, None)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [void], "misread")

    item = ReviewItem.objects.get()
    assert (item.operation_id, item.card_id) == (repeat, get_bike_card(ride, ride.bikes[2]).pk)


def test_a_retirement_recorded_twice_is_in_the_log_twice(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, FULL_HOUSE)
    outcomes = [
        retire_bike(who, uuid4(), ride.contest.pk, ride.bikes[1].pk, "broken down").outcome
        for who in (make_actor(ride.rita), desk)
    ]

    assert outcomes == ["recorded", "merged"]
    assert [entry.kind for entry in Entry.objects.order_by("seq")] == ["record", "retire", "repeat"]
