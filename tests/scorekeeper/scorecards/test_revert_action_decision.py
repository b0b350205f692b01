"""`revert_review_decision` at tables: what an accepted correction had voided counts again where it was."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import show_about
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.scorecards.services.review import CannotDecide, decide_review, revert_review_decision
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOT_CURRENT = 99  # the number of an entry that changed no action


def list_dice(fetch_table: ReadTable, card: UUID) -> list[Any]:
    """The dice of each current throw, in order."""
    return [action.get("dice") for one in fetch_table(card).turns.values() for action in one.actions]


@pytest.fixture
def card(add_table: AddTable, add_action: AddAction) -> UUID:
    """Ann has thrown 2 2, 3 3 and 4 4."""
    card_id = add_table("Ann")
    for face in (2, 3, 4):
        add_action(card_id, make_throw(face, face))
    return card_id


@pytest.fixture
def send_void(ride: Ride, card: UUID, fetch_table: ReadTable) -> Any:
    """Send a void of the actions at these positions, which goes to review, and return its item."""

    def send(*positions: int) -> ReviewItem:
        ids = list(fetch_table(card).turns)
        targets = [CorrectionTarget(ids[position], NOT_CURRENT, None) for position in positions]
        receipt = correct_actions(make_actor(ride.rita), uuid4(), card, targets, "not hers")
        return ReviewItem.objects.get(operation_id=receipt.operation_id)

    return send


@pytest.mark.parametrize("positions", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_voided_actions_return_to_their_places_before_newer_ones(
    ride: Ride,
    desk: Actor,
    card: UUID,
    send_void: Any,
    fetch_table: ReadTable,
    add_action: AddAction,
    positions: tuple[int, ...],
) -> None:
    before = fetch_table(card).turns
    item = send_void(*positions)
    decide_review(desk, uuid4(), item.pk, "apply", "so it was")
    assert len(fetch_table(card).turns) == 3 - len(positions)
    add_action(card, make_throw(1, 1))

    revert_review_decision(desk, uuid4(), item.pk, "it was not")

    after = fetch_table(card).turns
    assert list_dice(fetch_table, card) == [[2, 2], [3, 3], [4, 4], [1, 1]]
    assert [after[key].origin for key in before] == [action.origin for action in before.values()]
    assert list(list_damage(ride.event)) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_voids_are_undone_in_any_order(
    desk: Actor, card: UUID, send_void: Any, fetch_table: ReadTable, order: tuple[int, int]
) -> None:
    items = [send_void(1), send_void(2)]
    for item in items:
        decide_review(desk, uuid4(), item.pk, "apply", "so it was")
    assert list_dice(fetch_table, card) == [[2, 2]]

    for index in order:
        revert_review_decision(desk, uuid4(), items[index].pk, "it was not")

    assert list_dice(fetch_table, card) == [[2, 2], [3, 3], [4, 4]]


def test_a_void_is_not_undone_if_the_rules_then_forbid_a_later_action(
    ride: Ride,
    desk: Actor,
    organiser: Client,
    card: UUID,
    send_void: Any,
    fetch_table: ReadTable,
    add_action: AddAction,
) -> None:
    """TABLE-2: with the bank, Ann has finished before her last throw."""
    for action in (make_throw(6, 6), BANK):
        add_action(card, action)
    item = send_void(4)
    decide_review(desk, uuid4(), item.pk, "apply", "she did not bank")
    add_action(card, make_throw(1, 1))

    with pytest.raises(CannotDecide) as refused:
        revert_review_decision(desk, uuid4(), item.pk, "she did bank")

    assert [(problem["rule"], show_about(problem)) for problem in refused.value.problems] == [("TABLE-2", "Action 5")]
    url = reverse("desk:take_back", args=[ride.event.slug, item.pk])
    page = organiser.post(url, {"operation": str(uuid4()), "reason": "she did bank"})
    assert page.status_code == 409
    assert "Action 5:" in get_page_text(page)
    assert "This decision cannot be undone" in get_page_text(page)
    assert len(fetch_table(card).turns) == 5


def test_the_pages_say_that_an_action_counts_again(
    ride: Ride, desk: Actor, organiser: Client, card: UUID, send_void: Any
) -> None:
    item = send_void(1)
    decide_review(desk, uuid4(), item.pk, "apply", "so it was")

    url = reverse("desk:take_back", args=[ride.event.slug, item.pk])
    done = organiser.post(url, {"operation": str(uuid4()), "reason": "it was not"}, follow=True)
    assert "The decision has been undone" in get_page_text(done)

    history = get_page_text(organiser.get(reverse("tables:desk_history", args=[ride.event.slug, card])))
    assert "Counts again, restored by alice" in history
    assert "Voided by alice" in history
    assert "<del>" not in history
