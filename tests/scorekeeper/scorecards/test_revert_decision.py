"""`revert_review_decision`: an accepted correction is undone, and the turns that it voided count again."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.problem_messages import show_about
from scorekeeper.scorecards.bike_card import BikeCard, fold_chain
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import list_reverting_changes
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import CannotDecide, decide_review, revert_review_decision
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database

NOT_CURRENT = 99  # the number of an entry that changed no turn
TURNS = [(1, "chance", 20), (2, "fives", 10)]


def read_card(ride: Ride, number: int) -> BikeCard:
    """The card of a bike, read from its log."""
    bike = ride.bikes[number]
    chain = Chain.objects.get(pk=derive_card_id(ride.contest.pk, bike.pk))
    return fold_chain(get_contest_rules(ride.contest.pk), chain, bike)


@pytest.fixture
def void_item(ride: Ride, add_turn) -> ReviewItem:
    """A void of both turns of bike 1, which a crew member sent without having seen the newest entries."""
    turns = [
        add_turn(1, 1, make_paper_turn("chance", 20)).operation_id,
        add_turn(1, 2, make_paper_turn("fives", 10)).operation_id,
    ]
    targets = [CorrectionTarget(turn, NOT_CURRENT, None) for turn in turns]
    amend_turns(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, targets, "rolled by bike 2")
    return ReviewItem.objects.get()


def test_reverting_an_accepted_void_restores_the_turns_in_their_slots(
    ride: Ride, desk: Actor, void_item: ReviewItem
) -> None:
    before = read_card(ride, 1).turns
    decide_review(desk, uuid4(), void_item.pk, "apply", "so it was")
    assert list_bike_turns(ride, 1) == []

    revert_review_decision(desk, uuid4(), void_item.pk, "it was not")

    assert list_bike_turns(ride, 1) == TURNS
    after = read_card(ride, 1).turns
    assert [turn.origin for turn in after.values()] == [turn.origin for turn in before.values()]
    assert set(after) == set(before)
    void_item.refresh_from_db()
    assert (void_item.settled_at, void_item.decision) == (None, "")
    assert list(list_damage(ride.event)) == []


def test_the_log_keeps_every_entry_and_the_card_can_be_decided_on_again(
    ride: Ride, desk: Actor, void_item: ReviewItem
) -> None:
    card_id = read_card(ride, 1).id
    for _ in range(2):
        decide_review(desk, uuid4(), void_item.pk, "apply", "so it was")
        revert_review_decision(desk, uuid4(), void_item.pk, "it was not")

    kinds = list(Entry.objects.filter(chain_id=card_id).order_by("seq").values_list("kind", flat=True))
    assert kinds == ["record", "record", *["amend"] * 4]
    assert list_bike_turns(ride, 1) == TURNS
    assert list(list_damage(ride.event)) == []


def test_a_restored_turn_can_be_corrected(ride: Ride, desk: Actor, void_item: ReviewItem) -> None:
    decide_review(desk, uuid4(), void_item.pk, "apply", "so it was")
    revert_review_decision(desk, uuid4(), void_item.pk, "it was not")
    turn = Turn.objects.get(slot=ride.slots[0])

    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", 21))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    assert list_bike_turns(ride, 1) == [(1, "chance", 21), (2, "fives", 10)]


def test_a_void_is_not_reverted_while_another_turn_has_the_slot(
    ride: Ride, desk: Actor, add_turn, void_item: ReviewItem
) -> None:
    decide_review(desk, uuid4(), void_item.pk, "apply", "so it was")
    newer: UUID = add_turn(1, 2, make_paper_turn("sixes", 12), by=desk, reason="now").operation_id
    before = Entry.objects.count()

    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), void_item.pk, "it was not")

    assert [(problem["code"], show_about(problem)) for problem in refused.value.problems] == [
        ("slot_filled", f"Bike 1, {ride.slots[1].stop.name}")
    ]
    assert Entry.objects.count() == before
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(newer, 4, None)], "make room for the old"
    )
    revert_review_decision(desk, uuid4(), void_item.pk, "it was not")
    assert list_bike_turns(ride, 1) == TURNS


def test_a_void_is_not_reverted_if_the_rules_forbid_the_turn_now(
    ride: Ride, desk: Actor, add_turn, void_item: ReviewItem
) -> None:
    """ROCK-16"""
    decide_review(desk, uuid4(), void_item.pk, "apply", "so it was")
    add_turn(1, 3, make_paper_turn("chance", 12), by=desk, reason="now")

    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), void_item.pk, "it was not")

    assert {problem["rule"] for problem in refused.value.problems} == {"ROCK-16"}


def test_a_retirement_that_was_voided_is_restored_unless_the_bike_has_retired_again(
    ride: Ride, desk: Actor, add_turn
) -> None:
    """TABLE-3"""
    rita, bike = make_actor(ride.rita), ride.bikes[1].pk
    add_turn(1, 1, make_paper_turn("chance", 20))
    retired = retire_bike(rita, uuid4(), ride.contest.pk, bike, "flat tyre").operation_id
    amend_turns(rita, uuid4(), ride.contest.pk, bike, [CorrectionTarget(retired, NOT_CURRENT, None)], "patched")
    item = ReviewItem.objects.get()
    decide_review(desk, uuid4(), item.pk, "apply", "seen by all")
    again = retire_bike(desk, uuid4(), ride.contest.pk, bike, "flat again").operation_id

    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), item.pk, "not patched")
    assert [problem["code"] for problem in refused.value.problems] == ["already_retired"]

    amend_turns(desk, uuid4(), ride.contest.pk, bike, [CorrectionTarget(again, 4, None)], "once is enough")
    revert_review_decision(desk, uuid4(), item.pk, "not patched")
    assert read_card(ride, 1).get_turn(None) is not None
    assert list(list_damage(ride.event)) == []


def test_a_decision_says_that_someone_else_has_undone_it(ride: Ride, desk: Actor, void_item: ReviewItem) -> None:
    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), void_item.pk, "again")
    assert [problem["code"] for problem in refused.value.problems] == ["not_decided"]


def test_an_operation_that_wrote_nothing_to_a_card_is_not_reverted_there(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    card = read_card(ride, 1)

    assert list_reverting_changes(Entry.objects.filter(chain_id=card.id), uuid4(), card.turns) is None
