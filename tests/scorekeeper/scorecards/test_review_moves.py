"""A move of a turn that is in review: the organiser accepts it on both cards, and reverts that."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem, StaleCard
from scorekeeper.ledger.problem_messages import show_about
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, withdraw_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.review import CannotDecide, decide_review, revert_review_decision
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database

CHANCE = [(1, "chance", 20)]


@pytest.fixture
def revoked(ride: Ride) -> Actor:
    """Rita with a phone that was revoked, so that its entries go to review."""
    return replace(make_actor(ride.rita), needs_review=True)


@pytest.fixture
def turn(add_turn) -> UUID:
    """The turn of bike 1 at the first stop."""
    operation: UUID = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    return operation


def send_move(ride: Ride, by: Actor, turn: UUID, to: UUID | None = None) -> ReviewItem:
    """Send a move of a turn of bike 1 to bike 2, and return the item it became."""
    to_bike = to or ride.bikes[2].pk
    receipt = move_turn(by, uuid4(), ride.contest.pk, ride.bikes[1].pk, to_bike, turn, 1, "wrong bike")
    return ReviewItem.objects.get(operation_id=receipt.operation_id)


def list_both(ride: Ride) -> tuple[list[tuple[int, str | None, int]], list[tuple[int, str | None, int]]]:
    """The turns of bikes 1 and 2."""
    return list_bike_turns(ride, 1), list_bike_turns(ride, 2)


def test_a_move_of_a_revoked_phone_is_accepted_on_both_cards_and_reverted(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID
) -> None:
    item = send_move(ride, revoked, turn)
    assert item.reason == "revoked"
    assert list_both(ride) == (CHANCE, [])
    StaleCard.objects.all().delete()

    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert list_both(ride) == ([], CHANCE)
    cards = {derive_card_id(ride.contest.pk, ride.bikes[number].pk) for number in (1, 2)}
    assert {stale.card_id for stale in StaleCard.objects.all()} == cards
    assert list(list_damage(ride.event)) == []

    revert_review_decision(desk, uuid4(), item.pk, "it was bike 1 after all")

    assert list_both(ride) == (CHANCE, [])
    assert Turn.objects.get().pk == turn
    assert list(list_damage(ride.event)) == []
    decide_review(desk, uuid4(), item.pk, "apply", "no, bike 2")
    assert list_both(ride) == ([], CHANCE)
    assert list(list_damage(ride.event)) == []


def test_a_move_of_a_turn_that_was_itself_in_review_follows_the_accepted_turn(
    ride: Ride, desk: Actor, revoked: Actor, add_turn
) -> None:
    sent = add_turn(1, 1, make_paper_turn("chance", 20), by=revoked).operation_id
    turn_item = ReviewItem.objects.get()
    item = send_move(ride, revoked, sent)
    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), item.pk, "apply", "seen by all")
    assert [problem["code"] for problem in refused.value.problems] == ["turn_gone"]

    decide_review(desk, uuid4(), turn_item.pk, "apply", "it was rolled")
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert list_both(ride) == ([], CHANCE)


@pytest.mark.parametrize("current", [False, True])
def test_a_correction_of_a_turn_that_was_itself_in_review_follows_the_accepted_turn(
    ride: Ride, desk: Actor, revoked: Actor, add_turn, current: bool
) -> None:
    """Accepting it may record a new turn, or change the current one."""
    if current:
        add_turn(1, 1, make_paper_turn("fives", 10), by=make_actor(ride.tom))
    sent = add_turn(1, 1, make_paper_turn("chance", 20), by=revoked).operation_id
    turn_item = ReviewItem.objects.get()
    target = CorrectionTarget(sent, 1, make_paper_turn("chance", 21))
    receipt = amend_turns(revoked, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")
    item = ReviewItem.objects.get(operation_id=receipt.operation_id)

    decide_review(desk, uuid4(), turn_item.pk, "apply", "it was rolled")
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert list_bike_turns(ride, 1) == [(1, "chance", 21)]


def test_a_move_is_not_accepted_onto_a_slot_that_has_a_turn(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID, add_turn
) -> None:
    add_turn(2, 1, make_paper_turn("fives", 10))
    item = send_move(ride, revoked, turn)

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert [(problem["code"], show_about(problem)) for problem in refused.value.problems] == [
        ("slot_filled", f"Bike 2, {ride.slots[0].stop.name}")
    ]
    assert list_both(ride) == (CHANCE, [(1, "fives", 10)])


def test_a_move_is_not_accepted_against_the_rules(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID, add_turn
) -> None:
    """ROCK-16"""
    add_turn(2, 2, make_paper_turn("chance", 12))
    item = send_move(ride, revoked, turn)

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert {problem["rule"] for problem in refused.value.problems} == {"ROCK-16"}


def test_a_dismissed_move_writes_nothing_to_the_other_card_and_can_be_accepted_later(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID
) -> None:
    item = send_move(ride, revoked, turn)
    card_id = derive_card_id(ride.contest.pk, ride.bikes[2].pk)

    decide_review(desk, uuid4(), item.pk, "keep", "it was bike 1")
    assert not Entry.objects.filter(chain_id=card_id).exists()
    revert_review_decision(desk, uuid4(), item.pk, "it was not")
    decide_review(desk, uuid4(), item.pk, "apply", "bike 2")

    assert list_both(ride) == ([], CHANCE)


def test_a_move_between_bikes_that_were_merged_can_only_be_dismissed(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID
) -> None:
    item = send_move(ride, revoked, turn)
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "one machine")

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), item.pk, "apply", "seen by all")
    assert [problem["code"] for problem in refused.value.problems] == ["same_bike"]

    decide_review(desk, uuid4(), item.pk, "keep", "one machine")
    assert list_bike_turns(ride, 2) == CHANCE


def test_an_accepted_move_is_not_reverted_once_a_bike_was_merged(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID
) -> None:
    item = send_move(ride, revoked, turn)
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")
    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[3].pk, "one machine")

    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), item.pk, "it was bike 1")

    assert [problem["code"] for problem in refused.value.problems] == ["bike_merged"]
    assert list_bike_turns(ride, 3) == CHANCE


def test_an_accepted_move_is_not_reverted_once_the_turn_was_corrected_or_its_slot_filled(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID, add_turn
) -> None:
    item = send_move(ride, revoked, turn)
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")
    add_turn(1, 1, make_paper_turn("fives", 10))
    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), item.pk, "it was bike 1")
    assert [problem["code"] for problem in refused.value.problems] == ["slot_filled"]

    moved = Turn.objects.get(line="chance")
    target = CorrectionTarget(moved.pk, moved.seq, make_paper_turn("chance", 21))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "misread")
    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), item.pk, "it was bike 1")
    assert [problem["code"] for problem in refused.value.problems] == ["changed_since"]
    assert list_both(ride) == ([(1, "fives", 10)], [(1, "chance", 21)])


def test_a_move_to_a_walk_up_of_the_same_phone_is_accepted(ride: Ride, desk: Actor, revoked: Actor, turn: UUID) -> None:
    """A bike that something was sent for is not withdrawn, so the entry keeps its bike."""
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk)
    register_bike(revoked, uuid4(), walk_up)
    item = send_move(ride, revoked, turn, walk_up.id)

    assert withdraw_bike(revoked, uuid4(), walk_up.id).outcome == "merged"
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert Turn.objects.get().card_id == derive_card_id(ride.contest.pk, walk_up.id)


def test_repeats_of_a_turn_that_an_accepted_move_takes_away_go_to_review(
    ride: Ride, desk: Actor, revoked: Actor, turn: UUID, add_turn
) -> None:
    repeat = add_turn(1, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom)).operation_id
    item = send_move(ride, revoked, turn)

    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")

    assert ReviewItem.objects.get(operation_id=repeat).reason == "undone"
    assert list(list_damage(ride.event)) == []
