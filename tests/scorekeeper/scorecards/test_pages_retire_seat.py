"""/crew/tables/<id>/retire/: a seat retires, in or out of turn."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.ledger.actors import Actor
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.scorecards.card_forms import list_forms
from tests.scorekeeper.table_fixtures import AddAction, AddTable, ReadTable
from tests.scorekeeper.table_forms import (
    crew_url,
    desk_url,
    follow_redirect,
    get_roll_data,
    list_action_data,
    read_undo_form,
)

pytestmark = pytest.mark.django_db


def _send(phone, page, **more):
    fields = next(form for form in list_forms(page) if "seat" in form)
    return phone.post(page.wsgi_request.path, {**fields, **more})


def test_the_menu_leads_to_a_page_that_names_the_seat_and_retires_it(
    rogue_table: UUID, fetch_table: ReadTable, phone: Any
) -> None:
    """TABLE-3: out of turn."""
    assert f"{crew_url(rogue_table, 'retire')}?seat=1" in get_page_text(phone.get(crew_url(rogue_table)))
    page = phone.get(crew_url(rogue_table, "retire"), {"seat": "1"})
    assert "Retire Cleo?" in get_page_text(page)

    shown_page = follow_redirect(phone, _send(phone, page))

    assert list_action_data(fetch_table, rogue_table) == [{"seat": 1, "type": "retire"}]
    assert "Cleo: Retire" in get_page_text(shown_page)
    assert "Ben has won." in get_page_text(shown_page)


def test_a_retirement_is_undone_like_any_action_and_the_seat_plays_on(
    rogue_table: UUID, fetch_table: ReadTable, phone: Any
) -> None:
    """TABLE-3: retiring is an action of the game, so it is undone like one."""
    page = follow_redirect(phone, _send(phone, phone.get(crew_url(rogue_table, "retire"), {"seat": "1"})))
    assert fetch_table(rogue_table).is_finished

    undone = phone.post(crew_url(rogue_table, "undo"), read_undo_form(page))

    assert "Undone: Cleo: Retire" in get_page_text(follow_redirect(phone, undone))
    assert list_action_data(fetch_table, rogue_table) == []
    assert not fetch_table(rogue_table).is_finished
    assert f"{crew_url(rogue_table, 'retire')}?seat=1" in get_page_text(phone.get(crew_url(rogue_table)))


def test_any_phone_of_the_crew_voids_a_retirement_with_a_reason_after_others_have_played_on(
    ride: Ride, add_game_table: AddTable, add_action: AddAction, fetch_table: ReadTable, crew_client: CrewClient
) -> None:
    """TABLE-3"""
    table_id = add_game_table("rogue", "Ben", "Cleo", "Dan")
    add_action(table_id, {"seat": 2, "type": "retire"})
    add_action(table_id, get_roll_data(0))
    retirement = next(iter(fetch_table(table_id).turns))
    other = crew_client(ride.tom)
    page = other.get(crew_url(table_id, "void"), {"action": str(retirement)})
    fields = next(form for form in list_forms(page) if "seq" in form)

    follow_redirect(other, other.post(crew_url(table_id, "void"), {**fields, "reason": "he stays"}))

    assert list_action_data(fetch_table, table_id) == [get_roll_data(0)]


def test_a_retired_seat_cannot_retire_again(rogue_table: UUID, add_action: AddAction, phone: Any) -> None:
    add_action(rogue_table, {"seat": 1, "type": "retire"})

    assert "Cleo cannot retire" in get_page_text(phone.get(crew_url(rogue_table, "retire"), {"seat": "1"}))


def test_a_table_that_has_changed_asks_for_confirmation_again(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    page = phone.get(crew_url(rogue_table, "retire"), {"seat": "1"})
    add_action(rogue_table, get_roll_data(0))

    behind = _send(phone, page)

    assert behind.status_code == 409
    follow_redirect(phone, _send(phone, behind))
    assert list_action_data(fetch_table, rogue_table)[-1] == {"seat": 1, "type": "retire"}


def test_a_form_submitted_twice_records_once(rogue_table: UUID, fetch_table: ReadTable, phone: Any) -> None:
    page = phone.get(crew_url(rogue_table, "retire"), {"seat": "1"})

    follow_redirect(phone, _send(phone, page))
    follow_redirect(phone, _send(phone, page))

    assert fetch_table(rogue_table).length == 2


def test_at_a_closed_contest_the_organiser_gives_a_reason(
    ride: Ride, rogue_table: UUID, desk: Actor, alice: User, sign_in: SignIn, fetch_table: ReadTable
) -> None:
    close_contest(desk, uuid4(), fetch_table(rogue_table).contest.id, "the fire is out")
    browser = sign_in(alice)
    page = browser.get(desk_url(ride, rogue_table, "retire"), {"seat": "1"})
    message = "The contest is closed. Enter a reason for recording this anyway."
    assert_refused(_send(browser, page), "reason", message)

    follow_redirect(browser, _send(browser, page, reason="went home"))

    assert list_action_data(fetch_table, rogue_table) == [{"seat": 1, "type": "retire"}]


@pytest.mark.parametrize("seat", ["", "2", "-1", "one", "99999999"])
def test_an_unknown_seat_is_not_found(rogue_table: UUID, phone: Any, seat: str) -> None:
    assert phone.get(crew_url(rogue_table, "retire"), {"seat": seat}).status_code == 404
