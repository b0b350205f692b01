"""Practising without signal: the phone's pages say so, and what it records waits for its own event."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from scorekeeper.desk.services.practice import start_practice
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops, list_slots
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import press, tap_dice

BAND = '<p class="practice-band" data-practice-band data-title="Practice · ">Practice: nothing here counts'


@pytest.fixture
def practice(ride: Ride, alice: User) -> Event:
    """The ride's practice event."""
    return start_practice(ride.event, alice)


def test_the_copy_says_whose_it_is_and_names_nobody_of_the_ride(
    ride: Ride, practice: Event, crew_client: CrewClient
) -> None:
    client = crew_client(ride.rita)
    assert client.get("/api/v1/ride/parts").json()["owner"]["is_practice"] is False
    client.post("/crew/switch/")

    reply = client.get("/api/v1/ride/parts")

    assert reply.json()["owner"]["is_practice"] is True
    assert reply.json()["owner"]["event"] == str(practice.pk)
    assert str(ride.rita.pk) not in reply.content.decode()
    assert RideCopy(client).ride["device"] == reply.json()["owner"]["device"]


@pytest.mark.node
class TestPhone:
    """Rita's phone, with and without signal."""

    @pytest.fixture
    def phone(self, ride: Ride, practice: Event, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
        return make_offline_phone(ride.rita)

    def record(self, phone: OfflinePhone, event: Event) -> str:
        """Record a turn of bike 1 at the first stop; return the operation's id."""
        (contest,) = list_contests_at_stops(event)
        query = f"contest={contest.pk}&slot={list_slots(contest)[0].pk}"
        page = phone.get(f"/crew/bikes/{event.bikes.get(number=1).pk}/?{query}")
        assert (BAND in get_page_text(page)) == event.is_practice
        before = len(phone.pending)
        press(phone, tap_dice(phone, page, "44412"), choose="score:fours")
        operation: str = phone.pending[before]["id"]
        return operation

    def test_its_pages_are_the_servers_and_have_the_band(self, phone: OfflinePhone) -> None:
        assert BAND not in get_page_text(phone.get("/crew/"))
        phone.client.post("/crew/switch/")
        phone.load()

        for path in ("/crew/", "/crew/standing/", "/crew/walk-up/"):
            page = get_page_text(phone.get(path))
            assert BAND in page, path
            assert "<title>Practice · " in page, path
        assert "Back to the event" in get_page_text(phone.get("/crew/"))

    def test_switching_needs_signal_and_the_phone_says_so(self, phone: OfflinePhone) -> None:
        phone.is_connected = False

        for method in ("GET", "POST"):
            answer = phone.request(method, "/crew/switch/")
            assert answer.status_code == 503
            assert "This needs signal" in get_page_text(answer)

    def test_entries_made_in_both_reach_their_own_event(self, ride: Ride, practice: Event, phone: OfflinePhone) -> None:
        phone.is_connected = False
        own = self.record(phone, ride.event)
        kept, phone.pending = phone.pending, []
        phone.client.post("/crew/switch/")
        phone.load()  # with signal for a moment
        practised = self.record(phone, practice)

        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"]
        phone.client.post("/crew/switch/")
        phone.load()
        phone.pending = kept
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"]

        events = {str(key): event for key, event in Operation.objects.values_list("pk", "event_id")}
        assert events == {own: ride.event.pk, practised: practice.pk}
        assert Turn.objects.filter(slot__contest__event=ride.event).count() == 1

    def test_an_entry_of_the_ride_does_nothing_to_the_copy_of_the_practice(
        self, ride: Ride, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        self.record(phone, ride.event)
        phone.client.post("/crew/switch/")

        problems = phone.load()  # the page leaves such entries out; the engine would only skip them

        assert len(problems) == 1
        assert problems[0]["outcome"] != "recorded"
        assert "Fours" not in get_page_text(phone.get("/crew/"))
