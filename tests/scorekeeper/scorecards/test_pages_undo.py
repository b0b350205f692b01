"""/crew/bikes/<id>/undo/: the turn that was just recorded is voided, and the form shows its dice again."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.ledger.models import Entry, Operation
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_buttons, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn


def _record(phone, page, box: str = "chance"):
    return phone.get(press(phone, page, choose=f"score:{box}").url)


def test_undo_voids_the_turn_and_restores_the_dice(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    recorded = _record(phone, tap_dice(phone, phone.get(card_url(ride, 1, 2)), "34552"))

    answer = phone.post(crew_url(ride, 1, "undo"), read_form(recorded))

    assert list_bike_turns(ride, 1) == []
    assert [entry.kind for entry in Entry.objects.order_by("seq")] == ["record", "amend"]
    page = phone.get(answer.url)
    assert "Undone. Parks is empty again." in page.content.decode()
    assert read_form(page)["dice"] == ["3", "4", "5", "5", "2"]
    assert read_form(page)["slot"] == [str(ride.slots[1].pk)]
    press(phone, page, choose="score:small_straight")
    assert list_bike_turns(ride, 1) == [(2, "small_straight", 30)]


def test_undo_restores_every_roll(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    page = tap_dice(phone, press(phone, phone.get(card_url(ride, 1, 1)), switch="roll"), "31155")
    page = tap_dice(phone, press(phone, page, again="1", keep=["3", "4"]), "341")
    recorded = _record(phone, page)

    restored = phone.get(phone.post(crew_url(ride, 1, "undo"), read_form(recorded)).url)

    assert read_form(restored)["held"] == ["5", "5"]
    assert read_form(restored)["dice"] == ["3", "4", "1"]
    assert list_buttons(restored, "again")


def test_undo_twice_changes_nothing_more(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    recorded = _record(phone, tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552"))

    phone.post(crew_url(ride, 1, "undo"), read_form(recorded))
    again = phone.post(crew_url(ride, 1, "undo"), read_form(recorded), follow=True)

    assert "Nothing was undone" in again.content.decode()
    assert Entry.objects.count() == 2


def test_the_page_before_an_undo_gets_a_new_id_when_it_is_sent_again(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    phone.post(crew_url(ride, 1, "undo"), read_form(_record(phone, page)))

    stale = press(phone, page, choose="score:chance")

    assert stale.status_code == 409
    assert "voided since" in stale.content.decode()
    assert press(phone, stale, choose="score:chance").status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]


def test_undo_of_a_missed_turn_shows_the_empty_form(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)
    answer = press(phone, phone.get(card_url(ride, 1, 1, way="forfeit")))
    recorded = phone.get(answer.url)

    restored = phone.get(phone.post(crew_url(ride, 1, "undo"), read_form(recorded)).url)

    assert "dice" not in read_form(restored)
    assert list_bike_turns(ride, 1) == []


def test_a_turn_recorded_by_someone_else_offers_no_undo(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    receipt = add_turn(1, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom))

    page = crew_client(ride.rita).get(card_url(ride, 1, 1, done=receipt.operation_id)).content.decode()

    assert "Undo" not in page


def test_an_unknown_turn_cannot_be_undone(ride: Ride, crew_client: CrewClient) -> None:
    answer = crew_client(ride.rita).post(crew_url(ride, 1, "undo"), {"turn": uuid4(), "seq": "1"}, follow=True)

    assert "Nothing was undone" in answer.content.decode()
    assert not Operation.objects.exists()


def test_undo_needs_a_button_not_a_link(ride: Ride, crew_client: CrewClient) -> None:
    assert crew_client(ride.rita).get(crew_url(ride, 1, "undo")).status_code == 405


class TestDiceThatStay:
    """The dice that Undo brought back stay with their bike, as they were changed since."""

    def undo(self, phone: Any, ride: Ride) -> Any:
        recorded = _record(phone, tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552"))
        return phone.get(phone.post(crew_url(ride, 1, "undo"), read_form(recorded)).url)

    def test_they_come_back(self, ride: Ride, crew_client: CrewClient) -> None:
        phone: Any = crew_client(ride.rita)
        self.undo(phone, ride)

        assert read_form(phone.get(card_url(ride, 1, 1)))["dice"] == ["3", "4", "5", "5", "2"]

    def test_newer_dice_replace_them(self, ride: Ride, crew_client: CrewClient) -> None:
        phone: Any = crew_client(ride.rita)
        tap_dice(phone, press(phone, self.undo(phone, ride), clear="1"), "6661")
        assert "dice" not in read_form(phone.get(card_url(ride, 1, 1)))

        tap_dice(phone, press(phone, self.undo(phone, ride), change="4"), "6")
        assert read_form(phone.get(card_url(ride, 1, 1)))["dice"] == ["3", "4", "5", "5", "6"]

    def test_a_phone_says_that_they_were_removed(self, ride: Ride, crew_client: CrewClient) -> None:
        phone: Any = crew_client(ride.rita)
        self.undo(phone, ride)

        assert "dice" not in read_form(phone.get(f"{card_url(ride, 1, 1)}&cleared=1"))
        assert "dice" not in read_form(phone.get(card_url(ride, 1, 1)))

    def test_a_turn_to_enter_again_can_still_be_entered_after_going_away(
        self, ride: Ride, crew_client: CrewClient
    ) -> None:
        phone: Any = crew_client(ride.rita)
        actions = '[{"seat": 0, "type": "result", "dice": [3, 3, 3, 1, 1]}]'
        query = urlencode({"mode": "result", "actions": actions, "again": "1"})
        again = phone.get(f"{card_url(ride, 1, 1)}&{query}")

        back = phone.get(card_url(ride, 1, 1))

        assert read_form(again)["dice"] == read_form(back)["dice"] == ["3", "3", "3", "1", "1"]
        assert list_buttons(back, "choose") == list_buttons(again, "choose") != []


def test_another_crew_member_begins_anew_on_the_same_phone(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)
    url = card_url(ride, 1, 1)
    phone.get(f"{url}&mode=roll&dice=3&dice=4")
    assert phone.session["undone"]

    phone.post(f"/crew/join/{create_invitation(ride.tom)[1]}/", {"mine": "yes"})
    assert not {"stop", "dice_set", "mode", "undone"} & set(phone.session.keys())

    phone.get(f"{url}&mode=roll&dice=3&dice=4")
    phone.post("/crew/sign-out/")
    assert not {"stop", "dice_set", "mode", "undone"} & set(phone.session.keys())
