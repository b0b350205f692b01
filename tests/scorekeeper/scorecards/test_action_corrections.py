"""Correcting a table: amending and voiding actions, checked by replaying the table."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.utils import translation

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import show_about
from scorekeeper.ledger.services.recording import MalformedOperation, ReasonRequired
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def target(fetch_table: ReadTable, card: UUID, number: int, *actions: object) -> CorrectionTarget:
    """Return the target that voids the action with this number, or replaces it with these actions."""
    recorded = list(fetch_table(card).turns.values())[number - 1]
    return CorrectionTarget(recorded.id, recorded.seq, actions or None)  # type: ignore[arg-type]


@pytest.fixture
def card(add_table: AddTable, add_action: AddAction) -> UUID:
    """Ann has thrown 12, banked it and thrown 5."""
    card_id = add_table("Ann")
    for action in (make_throw(6, 6), BANK, make_throw(5)):
        add_action(card_id, action)
    return card_id


def test_an_amended_action_keeps_its_position_and_later_ones_are_replayed(
    desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    receipt = correct_actions(desk, uuid4(), card, [target(fetch_table, card, 1, make_throw(6, 5))], "it was an eleven")

    assert receipt.outcome == "recorded"
    assert [one.actions[0]["type"] for one in fetch_table(card).turns.values()] == ["throw", "bank", "throw"]
    assert fetch_table(card).state.seats[0].banked == 11


def test_the_last_action_is_undone(desk: Actor, card: UUID, fetch_table: ReadTable) -> None:
    assert correct_actions(desk, uuid4(), card, [target(fetch_table, card, 3)], "undone").outcome == "recorded"
    assert fetch_table(card).state.seats[0].thrown == 0
    assert len(fetch_table(card).list_played_turns()) == 2


def test_several_are_voided_together_where_voiding_one_would_make_the_rest_invalid(
    desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    alone = correct_actions(desk, uuid4(), card, [target(fetch_table, card, 1)], "never thrown")
    together = correct_actions(desk, uuid4(), card, [target(fetch_table, card, n) for n in (1, 2)], "never thrown")

    assert alone.outcome == "refused"
    assert [(problem["rule"], show_about(problem)) for problem in alone.problems] == [("PIG-2", "Action 2")]
    assert together.outcome == "recorded"
    assert fetch_table(card).state.seats[0].thrown == 5


def test_what_is_stored_of_a_problem_is_read_in_the_language_of_the_reader(
    desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    with translation.override("de"):
        refused = correct_actions(desk, uuid4(), card, [target(fetch_table, card, 1)], "nie geworfen")
        assert show_about(refused.problems[0]) == "Aktion 2"
    assert show_about(refused.problems[0]) == "Action 2"


def test_correcting_an_action_that_has_changed_since_is_a_conflict(
    desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    seen = target(fetch_table, card, 1, make_throw(6, 4))
    correct_actions(desk, uuid4(), card, [target(fetch_table, card, 1, make_throw(6, 5))], "first")

    receipt = correct_actions(desk, uuid4(), card, [seen], "second")

    assert receipt.outcome == "conflict"
    assert ReviewItem.objects.get().reason == "stale"
    assert fetch_table(card).state.seats[0].banked == 11


def test_a_correction_needs_a_reason(desk: Actor, card: UUID, fetch_table: ReadTable) -> None:
    with pytest.raises(ReasonRequired):
        correct_actions(desk, uuid4(), card, [target(fetch_table, card, 1)], "")


def test_a_correction_names_at_least_one_action_and_each_only_once(
    desk: Actor, card: UUID, fetch_table: ReadTable
) -> None:
    twice = [target(fetch_table, card, 1), target(fetch_table, card, 1)]

    for targets in ([], twice):
        with pytest.raises(MalformedOperation):
            correct_actions(desk, uuid4(), card, targets, "why")
