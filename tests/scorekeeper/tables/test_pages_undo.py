"""/crew/tables/<id>/undo/: what was just noted is taken back, and what was tapped returns to the form."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry
from scorekeeper.standings.services.closing import close_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.tables.conftest import Act, Look, throw
from tests.scorekeeper.tables.pages import crew_url, entry_of, noted_at, press, rolls, settle, undo_of

pytestmark = pytest.mark.django_db


def test_undo_voids_the_action_and_brings_its_dice_back(pigs: UUID, look: Look, phone: Any) -> None:
    page = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2", "5"]))

    back = settle(phone, phone.post(crew_url(pigs, "undo"), undo_of(page)))

    assert noted_at(look, pigs) == []
    assert "Undone: Ann: Throw 2 5." in text_of(back)
    assert entry_of(back)["throw:dice"] == ["2", "5"]
    assert [entry.kind for entry in Entry.objects.filter(chain_id=pigs).order_by("seq")] == ["deal", "record", "amend"]


def test_the_dice_come_back_once_and_not_to_a_table_that_has_gone_on(pigs: UUID, act: Act, phone: Any) -> None:
    page = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2", "5"]))
    address = phone.post(crew_url(pigs, "undo"), undo_of(page)).url

    assert entry_of(phone.get(address))["throw:dice"] == ["2", "5"]
    act(pigs, throw(6))
    assert "throw:dice" not in entry_of(phone.get(address))


def test_undo_of_an_option_shows_the_options_again(campfire: UUID, act: Act, look: Look, phone: Any) -> None:
    act(campfire, rolls(0))
    page = settle(phone, press(phone, phone.get(crew_url(campfire)), "note:keep:dice", "0 1 5"))

    back = settle(phone, phone.post(crew_url(campfire, "undo"), undo_of(page)))

    assert [action["type"] for action in noted_at(look, campfire)] == ["roll"]
    assert "note:keep:dice" in text_of(back)


def test_undo_twice_changes_nothing_more(pigs: UUID, look: Look, phone: Any) -> None:
    page = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2"]))

    phone.post(crew_url(pigs, "undo"), undo_of(page))
    again = settle(phone, phone.post(crew_url(pigs, "undo"), undo_of(page)))

    assert "Nothing was undone" in text_of(again)
    assert look(pigs).length == 3


def test_what_somebody_noted_after_it_is_not_undone(pigs: UUID, act: Act, look: Look, phone: Any) -> None:
    page = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2"]))
    act(pigs, throw(6))

    again = settle(phone, phone.post(crew_url(pigs, "undo"), undo_of(page)))

    assert "Nothing was undone: the table has changed since." in text_of(again)
    assert len(noted_at(look, pigs)) == 2


def test_what_somebody_else_noted_is_not_offered_for_undo(ride: Ride, campfire: UUID, act: Act, phone: Any) -> None:
    receipt = act(campfire, rolls(0), by=actor(ride.tom))

    page = phone.get(f"{crew_url(campfire)}?done={receipt.operation_id}")

    assert "Ben: Note the roll C 2 2 4 5 6" in text_of(page)
    assert "Undo" not in text_of(page)


def test_at_a_closed_contest_the_crew_undo_nothing(pigs: UUID, desk: Actor, look: Look, phone: Any) -> None:
    page = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2"]))
    close_contest(desk, uuid4(), look(pigs).contest.id, "the fire is out")

    again = settle(phone, phone.post(crew_url(pigs, "undo"), undo_of(page)))

    assert "Nothing was undone" in text_of(again)
    assert len(noted_at(look, pigs)) == 1


def test_undo_needs_a_button_not_a_link(pigs: UUID, phone: Any) -> None:
    assert phone.get(crew_url(pigs, "undo")).status_code == 405
