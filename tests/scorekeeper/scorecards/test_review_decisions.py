"""Entries under review at the tables are decided once: dismissed, or applied if the rules allow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem, StaleCard
from scorekeeper.ledger.problem_messages import show_about
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.scorecards.services.review import CannotDecide, decide_review, revert_review_decision
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.tables.services import withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def actions_of(fetch_table: ReadTable, card: UUID) -> list[Mapping[str, Any]]:
    """Return the current actions of the table, without the seat."""
    return [
        {name: value for name, value in action.items() if name != "seat"}
        for one in fetch_table(card).turns.values()
        for action in one.actions
    ]


@pytest.fixture
def card(add_table: AddTable, add_action: AddAction) -> UUID:
    """Ann has thrown 5 5."""
    made = add_table("Ann")
    add_action(made, make_throw(5, 5))
    return made


@pytest.fixture
def behind(ride: Ride, card: UUID, add_action: AddAction) -> ReviewItem:
    """Rita saw an empty table and recorded 3 4, which is under review."""
    add_action(card, make_throw(3, 4), by=make_actor(ride.rita), seen=1)
    return ReviewItem.objects.get()


def test_an_applied_action_can_be_reopened_until_a_later_one_needs_it(
    ride: Ride, desk: Actor, card: UUID, behind: ReviewItem, fetch_table: ReadTable, add_action: AddAction
) -> None:
    decide_review(desk, uuid4(), behind.pk, "apply", "both were thrown")
    revert_review_decision(desk, uuid4(), behind.pk, "it was one throw")

    behind.refresh_from_db()
    assert (len(actions_of(fetch_table, card)), behind.settled_at) == (1, None)
    assert list(list_damage(ride.event)) == []

    decide_review(desk, uuid4(), behind.pk, "apply", "two after all")
    correct = CorrectionTarget(list(fetch_table(card).turns)[-1], fetch_table(card).length, [BANK])
    correct_actions(desk, uuid4(), card, [correct], "it was a bank")
    with pytest.raises(CannotDecide):
        revert_review_decision(desk, uuid4(), behind.pk, "it was one throw")


def test_an_applied_action_is_recorded_after_all_current_ones(
    desk: Actor, card: UUID, behind: ReviewItem, fetch_table: ReadTable
) -> None:
    operation = uuid4()
    StaleCard.objects.all().delete()

    receipt = decide_review(desk, operation, behind.pk, "apply", "both were thrown")

    assert receipt.outcome == "recorded"
    assert actions_of(fetch_table, card) == [make_throw(5, 5), make_throw(3, 4)]
    behind.refresh_from_db()
    assert (behind.decision, behind.settled_by_id) == ("apply", operation)
    entry = Entry.objects.get(operation_id=operation)
    assert f'"settles":"{behind.operation_id}"' in entry.body
    assert StaleCard.objects.filter(card_id=card).exists()


def test_a_dismissed_entry_changes_nothing_but_is_logged(
    ride: Ride, desk: Actor, card: UUID, behind: ReviewItem, fetch_table: ReadTable
) -> None:
    decide_review(desk, uuid4(), behind.pk, "keep", "recorded twice")

    assert actions_of(fetch_table, card) == [make_throw(5, 5)]
    assert Entry.objects.get(kind="settle").chain_id == card
    assert list(list_damage(ride.event)) == []


def test_an_action_the_rules_forbid_now_is_rejected_with_the_clause_and_stays_in_review(
    desk: Actor, card: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    """TABLE-2"""
    add_action(card, {"type": "bank"}, seen=1)
    item = ReviewItem.objects.get()
    for action in (make_throw(5, 5), BANK):
        add_action(card, action)
    before = Entry.objects.count()

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), item.pk, "apply", "why not")

    assert [problem["rule"] for problem in refused.value.problems] == ["TABLE-2"]
    assert Entry.objects.count() == before
    item.refresh_from_db()
    assert item.settled_at is None


def test_a_correction_under_review_is_applied_whatever_the_current_action_is(
    ride: Ride, desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    recorded = next(iter(fetch_table(card).turns.values()))
    for dice in ((6, 6), (4, 4)):
        target = CorrectionTarget(recorded.id, recorded.seq, [make_throw(*dice)])
        correct_actions(make_actor(ride.rita), uuid4(), card, [target], "misread")

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "I asked")

    assert actions_of(fetch_table, card) == [make_throw(4, 4)]


def test_a_correction_that_makes_another_action_invalid_is_rejected_naming_it(
    ride: Ride, desk: Actor, card: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    """PIG-2"""
    add_action(card, BANK)
    recorded = next(iter(fetch_table(card).turns.values()))
    correct_actions(
        make_actor(ride.rita), uuid4(), card, [CorrectionTarget(recorded.id, recorded.seq, None)], "not hers"
    )

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "please")

    assert [(problem["rule"], show_about(problem)) for problem in refused.value.problems] == [("PIG-2", "Action 2")]


def test_a_correction_of_a_voided_action_can_only_be_dismissed(
    ride: Ride, desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    recorded = next(iter(fetch_table(card).turns.values()))
    for actions in (None, [make_throw(4, 4)]):
        correct_actions(
            make_actor(ride.rita), uuid4(), card, [CorrectionTarget(recorded.id, recorded.seq, actions)], "misread"
        )
    item = ReviewItem.objects.get()

    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), item.pk, "apply", "please")
    decide_review(desk, uuid4(), item.pk, "keep", "gone")

    item.refresh_from_db()
    assert item.decision == "keep"


def test_a_late_action_counts_if_the_organiser_applies_it(
    ride: Ride, pig_contest: Contest, desk: Actor, card: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    add_action(card, BANK, by=make_actor(ride.rita))
    item = ReviewItem.objects.get()
    assert item.reason == "late"

    decide_review(desk, uuid4(), item.pk, "apply", "she was in time")

    assert actions_of(fetch_table, card) == [make_throw(5, 5), BANK]


def test_an_entry_under_review_at_a_withdrawn_table_can_be_dismissed(
    ride: Ride, desk: Actor, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ann")
    add_action(card, BANK)  # there is nothing to bank
    withdraw_table(desk, uuid4(), card, "went home")
    item = ReviewItem.objects.get()

    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), item.pk, "apply", "please")
    decide_review(desk, uuid4(), item.pk, "keep", "nobody is there")

    item.refresh_from_db()
    assert item.decision == "keep"
    assert list(list_damage(ride.event)) == []


def test_an_item_is_decided_once_and_a_repeat_gets_the_same_receipt(
    desk: Actor, card: UUID, behind: ReviewItem, fetch_table: ReadTable
) -> None:
    operation = uuid4()
    first = decide_review(desk, operation, behind.pk, "apply", "both were thrown")
    assert decide_review(desk, operation, behind.pk, "apply", "both were thrown") == first

    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), behind.pk, "keep", "no")
    assert actions_of(fetch_table, card) == [make_throw(5, 5), make_throw(3, 4)]
    assert Operation.objects.filter(kind="settle").count() == 1


@pytest.mark.parametrize("decision", ["other_slot", "both", ""])
def test_other_decisions_are_rejected(desk: Actor, behind: ReviewItem, decision: str) -> None:
    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), behind.pk, decision, "please")


def test_only_the_organiser_of_the_event_decides_and_gives_a_reason(
    ride: Ride, desk: Actor, behind: ReviewItem, other_event: Any
) -> None:
    stranger = Actor.from_organiser(other_event.organisers.get())
    with pytest.raises(NotAllowed):
        decide_review(stranger, uuid4(), behind.pk, "keep", "mine")
    with pytest.raises(NotAllowed):
        decide_review(make_actor(ride.rita), uuid4(), behind.pk, "keep", "mine")
    with pytest.raises(ReasonRequired):
        decide_review(desk, uuid4(), behind.pk, "keep", " ")
