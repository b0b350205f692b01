"""The check-in list and bikes that did not start, on a phone with and without signal."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.services import add_item, check_bike, delete_item
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.selectors.non_starters import list_non_starters
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone, PhoneResponse
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_forms, press, tap_dice

PAGE = "/crew/check-in/"


@pytest.fixture
def paid(ride: Ride) -> CheckItem:
    add_item(ride.event, "Present")
    return add_item(ride.event, "Paid")


def find_button(page: PhoneResponse, ride: Ride, number: int, item: CheckItem) -> str:
    """Return the value of a box's button."""
    text, prefix = page.content.decode(), f'value="{ride.bikes[number].pk}.{item.pk}.'
    start = text.index(prefix) + len('value="')
    return text[start : text.index('"', start)]


def list_ticks() -> set[tuple[int, str]]:
    return set(BikeCheck.objects.values_list("bike__number", "item__name"))


def test_older_phones_get_no_rows_that_they_do_not_know(ride: Ride, paid: CheckItem, crew_client: CrewClient) -> None:
    check_bike(Actor(uuid4(), ride.event.pk), uuid4(), ride.bikes[1].pk, paid.pk, is_checked=True)
    client = crew_client(ride.rita)

    for old in ("/api/v1/ride", "/api/v1/ride/parts"):
        text = client.get(old).content.decode()
        assert "check_in.BikeCheck" not in text
        assert "did_not_start" not in text
    assert "check_in.BikeCheck" in RideCopy(client).contents


@pytest.mark.node
class TestPhone:
    """Rita's phone, with and without signal."""

    @pytest.fixture
    def phone(self, ride: Ride, paid: CheckItem, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
        return make_offline_phone(ride.rita)

    def test_its_pages_equal_the_servers(self, ride: Ride, paid: CheckItem, phone: OfflinePhone) -> None:
        check_bike(Actor(uuid4(), ride.event.pk), uuid4(), ride.bikes[1].pk, paid.pk, is_checked=True)
        phone.load()
        assert "1 of 8" in get_visible_text(phone.get(PAGE))
        assert "Ben" in get_visible_text(phone.get(f"{PAGE}?q=zoe"))
        phone.get("/crew/")
        phone.get(crew_url(ride, 2, "did_not_start"))

    def test_ticks_without_signal_reach_the_server_and_count_once(
        self, ride: Ride, paid: CheckItem, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        button = find_button(phone.get(PAGE), ride, 1, paid)
        answer = phone.post(PAGE, {"tick": button})
        assert [operation["kind"] for operation in answer.operations] == ["check"]
        assert phone.post(PAGE, {"tick": button}).operations == [], "a second tap"
        page = phone.get(PAGE)
        assert "1 of 8" in get_visible_text(page)
        answer = phone.post(PAGE, {"tick": find_button(page, ride, 2, paid)}, {"HX-Request": "true"})
        assert 'aria-pressed="true"' in answer.content.decode()

        assert phone.load() == [], "replayed on a fresh copy of the ride, nothing is refused"
        assert "2 of 8" in get_visible_text(phone.get(PAGE))
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 2
        assert list_ticks() == {(1, "Paid"), (2, "Paid")}
        phone.load()
        phone.is_connected = True
        assert "2 of 8" in get_visible_text(phone.get(PAGE))
        assert list(list_damage(ride.event)) == []

    def test_two_phones_that_tick_the_same_without_signal_agree(
        self, ride: Ride, paid: CheckItem, make_offline_phone: MakeOfflinePhone
    ) -> None:
        for member, outcome in ((ride.rita, "recorded"), (ride.tom, "merged")):
            phone = make_offline_phone(member)
            phone.is_connected = False
            page = phone.get(PAGE)
            if outcome == "merged":
                assert "1 of 4" in get_visible_text(page)
                sent = {"kind": "check", "id": str(uuid4()), "bike": str(ride.bikes[1].pk), "item": str(paid.pk)}
                phone.pending = [{**sent, "checked": True}]
                assert phone.load() == []
            else:
                phone.post(PAGE, {"tick": find_button(page, ride, 1, paid)})
            (receipt,) = phone.send()
            assert (receipt["outcome"], receipt["problems"]) == (outcome, [])
        assert Entry.objects.filter(kind="check").count() == 1

    def test_a_tick_of_an_item_that_was_deleted_meanwhile_is_settled(
        self, ride: Ride, paid: CheckItem, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        phone.post(PAGE, {"tick": find_button(phone.get(PAGE), ride, 1, paid)})
        delete_item(paid)
        assert phone.load() == []
        assert [receipt["outcome"] for receipt in phone.send()] == ["merged"]
        assert list_ticks() == set()

    def test_a_bike_that_did_not_start_is_marked_without_signal(self, ride: Ride, phone: OfflinePhone) -> None:
        phone.is_connected = False
        address = crew_url(ride, 2, "did_not_start")
        answer = phone.post(address, {**list_forms(phone.get(address))[0], "reason": "a flat tyre"})
        (sent,) = answer.operations
        assert (sent["kind"], sent["value"], sent["reason"]) == ("did_not_start", True, "a flat tyre")
        assert "0 of 3 have played" in get_visible_text(phone.get("/crew/"))

        assert phone.load() == []
        assert "Did not start" in get_visible_text(phone.get("/crew/"))
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"]
        assert list_non_starters(ride.event) == {ride.bikes[2].pk}
        assert list(list_damage(ride.event)) == []

    def test_a_turn_for_such_a_bike_is_recorded_and_the_bike_has_started(self, ride: Ride, phone: OfflinePhone) -> None:
        phone.is_connected = False
        address = crew_url(ride, 2, "did_not_start")
        phone.post(address, list_forms(phone.get(address))[0])
        page = phone.get(card_url(ride, 2, 1))
        assert "marked as not started" in get_visible_text(page)
        press(phone, tap_dice(phone, page, "34552"), choose="score:chance")
        assert "1 of 4 have played" in get_visible_text(phone.get(f"/crew/?stop={ride.stops[0].pk}"))

        assert phone.load() == []
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 2
        assert list_non_starters(ride.event) == set()
