"""Crew who record any bike at the finale do so without signal too, from every scorecard of the ride."""

from __future__ import annotations

import datetime as dt

import pytest

from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_forms, press, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

FINALE, PARKS = 4, 2  # slots of the contest


@pytest.fixture
def finale_ride(ride: Ride) -> Ride:
    """The ride; Tom, tail-gunner of group one, records any bike at the finale."""
    ride.tom.any_bike_at.add(ride.stops[3])
    return ride


def list_logs(ride: Ride, copy: RideCopy) -> set[int]:
    """Return the numbers of the bikes whose logs a phone has."""
    numbers = {str(derive_card_id(ride.contest.pk, bike.pk)): number for number, bike in ride.bikes.items()}
    parts = {key.removeprefix("card:"): content for key, content in copy.contents.items() if key.startswith("card:")}
    return {numbers[card] for card, content in parts.items() if "scorecards.Entry" in content}


def test_their_phone_gets_every_scorecard_and_loses_them_with_the_stop(
    finale_ride: Ride, crew_client: CrewClient, add_turn
) -> None:
    add_turn(1, PARKS, make_paper_turn("chance", 20))
    add_turn(5, PARKS, make_paper_turn("chance", 21), by=make_actor(finale_ride.gus))
    tom, sue = (RideCopy(crew_client(member)) for member in (finale_ride.tom, finale_ride.sue))

    assert (list_logs(finale_ride, tom), list_logs(finale_ride, sue)) == ({1, 5}, {1})

    finale_ride.tom.any_bike_at.clear()
    tom.refresh()
    assert list_logs(finale_ride, tom) == {1}


@pytest.mark.node
class TestPhone:
    """Tom's phone, with and without signal."""

    @pytest.fixture
    def phone(self, finale_ride: Ride, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
        return make_offline_phone(finale_ride.tom)

    def test_its_pages_equal_the_servers(self, finale_ride: Ride, phone: OfflinePhone) -> None:
        here, elsewhere = finale_ride.stops[3], finale_ride.stops[1]

        assert "All bikes at Finale" in get_visible_text(phone.get(f"/crew/?stop={here.pk}"))
        assert "Group one at Parks" in get_visible_text(phone.get(f"/crew/?stop={elsewhere.pk}"))
        for number in (1, 5):
            assert phone.get(card_url(finale_ride, number, FINALE)).status_code == 200
            assert phone.get(crew_url(finale_ride, number, "history")).status_code == 200
        assert phone.get(card_url(finale_ride, 5, PARKS)).status_code == 403

    def test_a_turn_recorded_and_undone_without_signal_reaches_the_server(
        self, finale_ride: Ride, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        for number, faces in ((5, "34552"), (6, "22255")):
            page = tap_dice(phone, phone.get(card_url(finale_ride, number, FINALE)), faces)
            answer = press(phone, page, choose="score:chance")
            (sent,) = answer.operations
            assert (sent["kind"], sent.get("takes_over", False)) == ("turn", False)
        result = phone.follow(answer)
        phone.post(crew_url(finale_ride, 6, "undo"), list_forms(result)[0])

        assert phone.load() == [], "replayed on a fresh copy of the ride, nothing is refused"
        assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"] * 3
        assert list_bike_turns(finale_ride, 5) == [(FINALE, "chance", 19)]
        assert list_bike_turns(finale_ride, 6) == []

    def test_a_phone_without_such_a_stop_cannot(self, finale_ride: Ride, make_offline_phone: MakeOfflinePhone) -> None:
        phone = make_offline_phone(finale_ride.sue)
        phone.is_connected = False

        assert phone.get(card_url(finale_ride, 5, FINALE)).status_code == 403
        sent = {"dice": list("34552"), "choose": "score:chance", "slot": finale_ride.slots[FINALE - 1].pk}
        answer = phone.post(card_url(finale_ride, 5), sent)
        assert (answer.status_code, answer.operations) == (403, [])
        assert "Eve" not in get_visible_text(phone.get(f"/crew/?stop={finale_ride.stops[3].pk}"))

    def test_an_entry_made_before_the_stop_was_taken_away_is_refused(
        self, finale_ride: Ride, phone: OfflinePhone
    ) -> None:
        phone.is_connected = False
        page = tap_dice(phone, phone.get(card_url(finale_ride, 5, FINALE)), "34552")
        press(phone, page, choose="score:chance")

        finale_ride.tom.any_bike_at.clear()

        assert [problem["outcome"] for problem in phone.load()] == ["not_yours"]
        assert [receipt["outcome"] for receipt in phone.send()] == ["not_yours"]

    def test_it_shows_the_hours_the_place_and_the_note_of_a_stop(
        self, ride: Ride, make_offline_phone: MakeOfflinePhone
    ) -> None:
        stop = ride.stops[1]
        Stop.objects.filter(pk=stop.pk).update(
            opens_at=dt.time(18),
            closes_at=dt.time(1, 30),
            latitude="51.05",
            longitude="-114.07",
            crew_note="Use gate B",
        )

        page = get_page_text(make_offline_phone(ride.rita).get(f"/crew/?stop={stop.pk}"))

        assert "Use gate B" in page
        assert "18:00 to 01:30 the next day" in page
        assert 'href="geo:51.05,-114.07?q=51.05,-114.07(Parks)"' in page
