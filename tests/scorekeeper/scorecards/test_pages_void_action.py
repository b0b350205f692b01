"""/crew/tables/<id>/void/: an action no longer counts, or everything from it on."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from scorekeeper.ledger.models import ReviewItem
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import list_forms
from tests.scorekeeper.table_fixtures import BANK, AddAction, ReadTable, make_throw
from tests.scorekeeper.table_forms import (
    crew_url,
    follow_redirect,
    get_bank_data,
    get_keep_data,
    get_roll_data,
    get_throw_data,
    list_action_data,
    press,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_at(phone: Any, fetch_table: ReadTable) -> Any:
    """Open the page that voids the action at a position, counted from 0."""

    def make(card_id: UUID, place: int, **query: str) -> Any:
        action_id = list(fetch_table(card_id).turns)[place]
        return phone.get(crew_url(card_id, "void"), {"action": str(action_id), **query})

    return make


def _send(phone: Any, page: Any, **more: str) -> Any:
    fields = next(form for form in list_forms(page) if "seq" in form)
    return phone.post(page.wsgi_request.path, {**fields, **more})


def test_the_page_names_the_action_and_voids_it_with_the_reason(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2))
    add_action(pig_table, make_throw(5))
    page = open_at(pig_table, 0)
    assert "Void action 1, Ann: Thrown 2?" in get_page_text(page)

    done = follow_redirect(phone, _send(phone, page, reason="thrown by the dog"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(5)]
    assert "Voided: action 1, Ann: Thrown 2." in get_page_text(done)


def test_without_a_reason_nothing_is_voided(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2))

    refused = _send(phone, open_at(pig_table, 0), reason=" ")

    assert refused.status_code == 422
    assert "Enter a reason." in get_page_text(refused)
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]


def test_the_first_invalid_action_is_named_and_everything_from_here_on_can_be_voided(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(3))
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)
    add_action(pig_table, make_throw(4))
    assert open_at(pig_table, 0).context["obstacle"] is None, "there would still be something to bank"
    follow_redirect(phone, _send(phone, open_at(pig_table, 0), reason="thrown by the dog"))

    page = open_at(pig_table, 0)

    assert "Without it, action 2 is not allowed (Ann: Banked). There is nothing to bank. (PIG-2)" in get_page_text(page)
    assert "Void everything from here on: actions 1 to 3" in get_page_text(page)
    on = open_at(pig_table, 0, on="1")
    assert "Void actions 1 to 3?" in get_page_text(on)
    follow_redirect(phone, _send(phone, on, reason="all by the dog"))
    assert list_action_data(fetch_table, pig_table) == []


def test_actions_recorded_since_the_page_was_opened_are_not_voided_with_the_rest(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(3))
    page = open_at(pig_table, 0, on="1")
    add_action(pig_table, make_throw(4))

    behind = _send(phone, page, reason="all by the dog")

    assert behind.status_code == 409
    assert "nothing was voided" in get_page_text(behind)
    assert len(list_action_data(fetch_table, pig_table)) == 2


def test_a_page_submitted_twice_voids_once(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(3))
    page = open_at(pig_table, 0)

    follow_redirect(phone, _send(phone, page, reason="thrown by the dog"))
    again = _send(phone, page, reason="thrown by the dog")

    assert again.status_code == 409
    assert "This action no longer counts" in get_page_text(again)
    assert fetch_table(pig_table).length == 3


def test_a_rejected_void_is_not_sent_to_review(
    pig_table: UUID, add_action: AddAction, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    page = open_at(pig_table, 0)
    add_action(pig_table, BANK)

    refused = _send(phone, page, reason="thrown by the dog")

    assert refused.status_code == 422
    assert "Without it, action 2 is not allowed" in get_page_text(refused)
    assert not ReviewItem.objects.exists()


def test_actions_made_invalid_by_a_void_are_decided_one_by_one_and_saved_together(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    begun, later = [get_roll_data(0), get_keep_data(0, 2, 2)], [get_bank_data(0), get_roll_data(1, 3, 3, 3, 4, 5, 6)]
    for action in (*begun, get_roll_data(0, 3, 3, 5, 6), get_keep_data(0, 3, 3), *later):
        add_action(rogue_table, action)
    page = open_at(rogue_table, 2)
    fields = next(form for form in list_forms(page) if "action" in form)

    page = phone.post(crew_url(rogue_table, "correct"), {**fields, "void": "1"})
    page = press(phone, page, "void", reason="never rolled")
    follow_redirect(phone, page)

    assert list_action_data(fetch_table, rogue_table) == [*begun, *later]
