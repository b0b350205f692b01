"""`/desk/events/<slug>/review/`: entries at the tables under review, both sides, and the decision."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.tables.services import create_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.test_review import decide
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw


@pytest.fixture
def card(add_table: AddTable, add_action: AddAction) -> UUID:
    """Ann has thrown 5 5."""
    card_id = add_table("Ann")
    add_action(card_id, make_throw(5, 5))
    return card_id


@pytest.fixture
def late_item(ride: Ride, card: UUID, add_action: AddAction) -> ReviewItem:
    """Rita saw an empty card and recorded 3 4, which is now under review."""
    add_action(card, make_throw(3, 4), by=make_actor(ride.rita), seen=1)
    return ReviewItem.objects.get()


def test_both_sides_are_described_with_names_and_reasons(
    ride: Ride, organiser: Client, url, card: UUID, late_item: ReviewItem
) -> None:
    page = get_page_text(organiser.get(url("review")))

    assert "Ann: A newer entry was already there" in page
    assert "Action 1: Ann: Thrown 5 5" in page
    assert "Ann: Thrown 3 4" in page
    assert "alice," in page
    assert "Rita," in page
    assert "Record it now, after the current entries" in page
    assert reverse("tables:desk_history", args=[ride.event.slug, card]) in page


def test_an_action_is_described_in_the_state_its_sender_saw(
    ride: Ride, organiser: Client, url, rogue_contest: Contest, rogue_tables: list[UUID], fetch_table: ReadTable
) -> None:
    """In the current state it is another seat's turn, with another last roll."""
    seen = next(action.seq for action in fetch_table(rogue_tables[0]).turns.values())
    action = NewAction(rogue_tables[0], seen, [{"seat": 0, "type": "keep", "dice": ["C"]}])
    record_action(make_actor(ride.rita), uuid4(), action)

    page = get_page_text(organiser.get(url("review")))

    assert "Ann, Ben: A newer entry was already there" in page
    assert "Ann: Set aside C</p>" in page


def test_an_action_out_of_turn_or_not_possible_now_is_described_in_full(
    organiser: Client, url, rogue_contest: Contest, rogue_tables: list[UUID], add_action: AddAction
) -> None:
    add_action(rogue_tables[2], {"seat": 1, "type": "roll", "dice": ["C", 2, 2, 4, 5, 6]})
    add_action(rogue_tables[0], {"seat": 1, "type": "keep", "dice": [6, 6]})

    page = get_page_text(organiser.get(url("review")))

    assert "Gail: Rolled C 2 2 4 5 6</p>" in page
    assert "Ben: keep 6 6</p>" in page


def test_a_long_list_of_newer_entries_is_shortened(
    ride: Ride, organiser: Client, url, card: UUID, late_item: ReviewItem, add_action: AddAction
) -> None:
    for _throw in range(7):
        add_action(card, make_throw(2))
    page = get_page_text(organiser.get(url("review")))
    assert "Action 5: Ann: Thrown 2" in page
    assert "Action 6" not in page
    assert "and 3 more" in page


@pytest.mark.parametrize(("decision", "dice"), [("keep", [[5, 5]]), ("apply", [[5, 5], [3, 4]])])
def test_a_decision_is_applied_and_listed(
    organiser: Client,
    url,
    card: UUID,
    late_item: ReviewItem,
    fetch_table: ReadTable,
    decision: str,
    dice: list[list[int]],
) -> None:
    response = organiser.post(url("settle", late_item.pk), decide(late_item, decision), follow=True)

    assert "Ann: decided." in get_page_text(response)
    assert "I asked both" in get_page_text(response)
    assert [action["dice"] for turn in fetch_table(card).turns.values() for action in turn.actions] == dice


def test_an_action_against_the_rules_is_refused_with_the_clause(
    organiser: Client, url, add_table: AddTable, add_action: AddAction
) -> None:
    """PIG-2"""
    add_action(add_table("Ann"), BANK)
    item = ReviewItem.objects.get()
    page = get_page_text(organiser.get(url("review")))
    assert "Nothing else has been recorded since." in page
    assert "There is nothing to bank." in page

    response = organiser.post(url("settle", item.pk), decide(item, "apply"))

    assert response.status_code == 422
    assert "PIG-2" in get_page_text(response)
    item.refresh_from_db()
    assert item.settled_at is None


def test_corrections_are_described_with_their_changes(
    ride: Ride, organiser: Client, url, card: UUID, fetch_table: ReadTable
) -> None:
    recorded = next(iter(fetch_table(card).turns.values()))
    for actions in ([make_throw(6, 6)], [make_throw(4, 4)], None):
        correct_actions(
            make_actor(ride.rita), uuid4(), card, [CorrectionTarget(recorded.id, recorded.seq, actions)], "misread"
        )

    page = get_page_text(organiser.get(url("review")))

    assert page.count("Action 1: Ann: Thrown 6 6") == 2
    assert "Action 1: Ann: Thrown 4 4" in page
    assert "Void action 1" in page
    assert "Reason given: misread" in page


def test_a_correction_of_a_voided_action_is_described_as_such(
    ride: Ride, organiser: Client, url, card: UUID, fetch_table: ReadTable
) -> None:
    recorded = next(iter(fetch_table(card).turns.values()))
    for actions in (None, [make_throw(4, 4)]):
        correct_actions(
            make_actor(ride.rita), uuid4(), card, [CorrectionTarget(recorded.id, recorded.seq, actions)], "misread"
        )
    item = ReviewItem.objects.get()

    assert "A correction of an action that no longer counts" in get_page_text(organiser.get(url("review")))

    refused = organiser.post(url("settle", item.pk), decide(item, "apply"))
    assert refused.status_code == 422
    assert "This is no longer on the scorecard: it was voided or moved" in get_page_text(refused)
    assert "Ann: decided." in get_page_text(organiser.post(url("settle", item.pk), decide(item, "keep"), follow=True))


def test_an_entry_at_a_withdrawn_table_can_only_be_dismissed(
    organiser: Client, url, desk: Actor, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ann")
    add_action(card, BANK)
    withdraw_table(desk, uuid4(), card, "went home")
    item = ReviewItem.objects.get()

    page = get_page_text(organiser.get(url("review")))
    assert "Dismiss the entry under review" in page
    assert "Record it now" not in page

    assert organiser.post(url("settle", item.pk), decide(item, "apply")).status_code == 422
    assert ("Nothing to review") in get_page_text(
        organiser.post(url("settle", item.pk), decide(item, "keep"), follow=True)
    )


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": 3},
        {"type": "fly"},
        {"type": "throw", "dice": {"a": [1]}},
        {"type": "bank", "seat": 7, "double": "?"},
    ],
)
def test_an_unreadable_action_is_still_listed(
    organiser: Client, url, card: UUID, add_action: AddAction, action
) -> None:
    add_action(card, action)
    assert "Record it now" in get_page_text(organiser.get(url("review")))


def test_bikes_at_a_table_are_named_by_number_and_riders(
    ride: Ride, organiser: Client, url, rogue_contest: Contest, desk: Actor, add_action: AddAction
) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    operation = uuid4()
    create_tables(desk, operation, rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])
    add_action(rogue_contest.cards.get().pk, {"seat": 1, "type": "bank"})

    assert "Bike 2 (Ben, Zoe), Bike 1 (Ann): The rules do not allow it" in get_page_text(organiser.get(url("review")))


def test_turns_and_actions_are_in_one_list_oldest_first(
    ride: Ride, organiser: Client, url, add_turn, late_item: ReviewItem
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))

    rows = organiser.get(url("review")).context["rows"]

    assert [(presenter.name, presenter.bike_number) for presenter, _form in rows] == [("Ann", None), ("Bike 1", "1")]


def test_the_number_of_statements_does_not_depend_on_the_number_of_items(
    ride: Ride, organiser: Client, url, add_table: AddTable, add_action: AddAction, late_item: ReviewItem
) -> None:
    def count_page_statements() -> int:
        return count_statements(organiser, url("review"))

    few = count_page_statements()
    for name in ("Ben", "Cleo", "Dan"):
        card = add_table(name)
        add_action(card, make_throw(5, 5))
        add_action(card, make_throw(3, 4), by=make_actor(ride.rita), seen=1)

    assert count_page_statements() == few
