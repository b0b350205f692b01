"""/crew/tables/<id>/undo/: the action just recorded is voided, and the input returns to the form."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import AddAction, ReadTable, make_throw
from tests.scorekeeper.table_forms import (
    crew_url,
    follow_redirect,
    get_roll_data,
    list_action_data,
    press,
    read_entry_form,
    read_undo_form,
)

pytestmark = pytest.mark.django_db


def test_undo_voids_the_action_and_brings_its_dice_back(pig_table: UUID, fetch_table: ReadTable, phone: Any) -> None:
    page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2", "5"]))

    back = follow_redirect(phone, phone.post(crew_url(pig_table, "undo"), read_undo_form(page)))

    assert list_action_data(fetch_table, pig_table) == []
    assert "Undone: Ann: Thrown 2 5." in get_page_text(back)
    assert read_entry_form(back)["throw:dice"] == ["2", "5"]
    assert [entry.kind for entry in Entry.objects.filter(chain_id=pig_table).order_by("seq")] == [
        "deal",
        "record",
        "amend",
    ]


def test_the_dice_come_back_once_and_not_to_a_table_that_has_changed(
    pig_table: UUID, add_action: AddAction, phone: Any
) -> None:
    page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2", "5"]))
    address = phone.post(crew_url(pig_table, "undo"), read_undo_form(page)).url

    assert read_entry_form(phone.get(address))["throw:dice"] == ["2", "5"]
    add_action(pig_table, make_throw(6))
    assert "throw:dice" not in read_entry_form(phone.get(address))


def test_undo_of_an_option_shows_the_options_again(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    add_action(rogue_table, get_roll_data(0))
    page = follow_redirect(phone, press(phone, phone.get(crew_url(rogue_table)), "note:keep:dice", "0 1 5"))

    back = follow_redirect(phone, phone.post(crew_url(rogue_table, "undo"), read_undo_form(page)))

    assert [action["type"] for action in list_action_data(fetch_table, rogue_table)] == ["roll"]
    assert "note:keep:dice" in get_page_text(back)


def test_undo_twice_changes_nothing_more(pig_table: UUID, fetch_table: ReadTable, phone: Any) -> None:
    page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2"]))

    phone.post(crew_url(pig_table, "undo"), read_undo_form(page))
    again = follow_redirect(phone, phone.post(crew_url(pig_table, "undo"), read_undo_form(page)))

    assert "Nothing was undone" in get_page_text(again)
    assert fetch_table(pig_table).length == 3


def test_a_later_action_is_not_undone(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2"]))
    add_action(pig_table, make_throw(6))

    again = follow_redirect(phone, phone.post(crew_url(pig_table, "undo"), read_undo_form(page)))

    assert "Nothing was undone, since the entries have changed." in get_page_text(again)
    assert len(list_action_data(fetch_table, pig_table)) == 2


def test_someone_elses_action_is_not_offered_for_undo(
    ride: Ride, rogue_table: UUID, add_action: AddAction, phone: Any
) -> None:
    receipt = add_action(rogue_table, get_roll_data(0), by=make_actor(ride.tom))

    page = phone.get(f"{crew_url(rogue_table)}?done={receipt.operation_id}")

    assert "Ben: Rolled C 2 2 4 5 6" in get_page_text(page)
    assert "Undo" not in get_page_text(page)


def test_at_a_closed_contest_the_crew_cannot_undo(
    pig_table: UUID, desk: Actor, fetch_table: ReadTable, phone: Any
) -> None:
    page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2"]))
    close_contest(desk, uuid4(), fetch_table(pig_table).contest.id, "the fire is out")

    again = follow_redirect(phone, phone.post(crew_url(pig_table, "undo"), read_undo_form(page)))

    assert "Nothing was undone" in get_page_text(again)
    assert len(list_action_data(fetch_table, pig_table)) == 1


def test_undo_needs_a_button_not_a_link(pig_table: UUID, phone: Any) -> None:
    assert phone.get(crew_url(pig_table, "undo")).status_code == 405
