"""Hours, places and notes of stops: on the organiser's pages, the crew's group page and the public route page."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import make_contest_slug
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database

NOTE = "Park behind the hall"
ENTERED = {
    "name": "Parks",
    "opens_at": "10:00",
    "closes_at": "14:30",
    "address": "12 Main St, Cochrane",
    "coordinates": "51.05, -114.07",
    "crew_note": NOTE,
}
GEO = 'href="geo:51.05,-114.07?q=51.05,-114.07(Parks)"'
MAP = 'href="https://www.openstreetmap.org/?mlat=51.05&mlon=-114.07#map=16/51.05/-114.07"'


@pytest.fixture
def desk(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)


def edit(desk: Client, stop: Stop, **changes: str):
    return save(desk, f"/desk/events/{stop.event.slug}/stops/{stop.pk}/", {**ENTERED, **changes})


def test_a_stop_gets_hours_a_place_and_a_note(stops: list[Stop], desk: Client) -> None:
    assert edit(desk, stops[1]).status_code == 302

    stop = Stop.objects.get(pk=stops[1].pk)
    assert (stop.opens_at, stop.closes_at) == (dt.time(10), dt.time(14, 30))
    assert (stop.latitude, stop.longitude) == (Decimal("51.05"), Decimal("-114.07"))
    assert (stop.address, stop.crew_note) == ("12 Main St, Cochrane", NOTE)
    page = get_page_text(desk.get(f"/desk/events/{stop.event.slug}/stops/"))
    for text in ("10:00 to 14:30", "12 Main St, Cochrane", NOTE, GEO, MAP):
        assert text in page
    again = get_page_text(desk.get(f"/desk/events/{stop.event.slug}/stops/{stop.pk}/"))
    for value in ENTERED.values():
        assert value in again
    assert "America/Edmonton" in again


def test_a_new_stop_can_have_hours_at_once(event: Event, desk: Client) -> None:
    page = f"/desk/events/{event.slug}/stops/"

    assert desk.post(page, {"name": "Parks", "opens_at": "22:00", "closes_at": "01:00"}).status_code == 302
    assert desk.post(page, {"name": "Lookout", "opens_at": "", "closes_at": ""}).status_code == 302

    assert [stop.hours for stop in event.stops.all()] == ["22:00 to 01:00 the next day", ""]
    refused = desk.post(page, {"name": "BBQ", "opens_at": "10:00", "closes_at": "10:00"})
    assert_refused(refused, "id_closes_at", "The stop cannot close at the time it opens. Enter a later time.")
    assert 'value="BBQ"' in get_page_text(refused)
    assert event.stops.count() == 2


def test_what_is_cleared_is_gone(stops: list[Stop], desk: Client) -> None:
    edit(desk, stops[1])

    edit(desk, stops[1], **dict.fromkeys(ENTERED.keys() - {"name"}, ""))

    stop = Stop.objects.get(pk=stops[1].pk)
    assert (stop.hours, stop.geo_uri, stop.map_url, stop.crew_note) == ("", "", "", "")


@pytest.mark.parametrize(
    ("opens", "closes", "text"),
    [
        ("18:00", "01:00", "18:00 to 01:00 the next day"),
        ("09:05", "", "from 09:05"),
        ("", "16:00", "until 16:00"),
        ("00:00", "00:01", "00:00 to 00:01"),
        ("", "", ""),
    ],
)
def test_hours_are_told_in_words(stops: list[Stop], desk: Client, opens: str, closes: str, text: str) -> None:
    assert edit(desk, stops[1], opens_at=opens, closes_at=closes).status_code == 302

    assert Stop.objects.get(pk=stops[1].pk).hours == text


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("opens_at", "25:00", "Enter a time as hours and minutes, such as 09:30."),
        ("closes_at", "noon", "Enter a time as hours and minutes, such as 09:30."),
        ("closes_at", "10:00", "The stop cannot close at the time it opens. Enter a later time."),
        (
            "coordinates",
            "Parks",
            "Enter two numbers with a comma between them, latitude first, such as 51.05, -114.07.",
        ),
        ("coordinates", "-114.07, 51.05", "The latitude, the first number, must be from -90 to 90."),
        ("coordinates", "51.05, 181", "The longitude, the second number, must be from -180 to 180."),
        ("crew_note", "x" * 301, "Ensure this value has at most 300 characters (it has 301)."),
    ],
)
def test_bad_input_is_explained_and_kept(stops: list[Stop], desk: Client, field: str, value: str, message: str) -> None:
    response = edit(desk, stops[1], **{field: value})

    assert_refused(response, f"id_{field}", message)
    assert value in get_page_text(response)
    assert Stop.objects.get(pk=stops[1].pk).hours == ""


def test_coordinates_pasted_as_the_address_are_used_as_coordinates(stops: list[Stop], desk: Client) -> None:
    edit(desk, stops[1], address="51.05, -114.07", coordinates="")

    stop = Stop.objects.get(pk=stops[1].pk)
    assert (stop.address, str(stop.coordinates)) == ("", "51.05, -114.07")


def test_the_crew_sees_the_note_the_hours_and_the_maps_of_the_chosen_stop(
    ride: Ride, desk: Client, crew_client: CrewClient
) -> None:
    edit(desk, ride.stops[1])
    phone = crew_client(ride.tom)

    here = get_page_text(phone.get(f"/crew/?stop={ride.stops[1].pk}"))
    elsewhere = get_page_text(phone.get(f"/crew/?stop={ride.stops[2].pk}"))

    for text in (NOTE, "10:00 to 14:30", "12 Main St, Cochrane", GEO, MAP):
        assert text in here
        assert text not in elsewhere


def test_the_route_lists_the_stops_in_order_without_the_notes(ride: Ride, desk: Client) -> None:
    edit(desk, ride.stops[1])

    response = Client().get(f"/events/{ride.event.slug}/route/")

    page = get_page_text(response)
    assert response.status_code == 200
    order = [page.index(f"{number}. {stop.name}") for number, stop in enumerate(ride.stops, 1)]
    assert order == sorted(order)
    for text in ("10:00 to 14:30", "12 Main St, Cochrane", GEO, MAP, "America/Edmonton"):
        assert text in page
    assert NOTE not in page
    assert "Times are local" not in get_visible_text(Client().get(f"/events/{ride.event.slug}/"))


def test_the_page_of_an_event_links_to_its_route_once_there_are_stops(event: Event) -> None:
    link = f'href="/events/{event.slug}/route/"'
    assert link not in get_page_text(Client().get(f"/events/{event.slug}/"))

    Stop.objects.create(event=event, name="Parks", ordinal=1)

    assert link in get_page_text(Client().get(f"/events/{event.slug}/"))


def test_a_ride_without_stops_has_an_empty_route(event: Event) -> None:
    assert "No stops yet" in get_page_text(Client().get(f"/events/{event.slug}/route/"))


def test_the_route_of_a_draft_is_not_found(event: Event, stops: list[Stop]) -> None:
    Event.objects.update(state=Event.State.DRAFT)

    assert Client().get(f"/events/{event.slug}/route/").status_code == 404


def test_no_contest_hides_the_route(event: Event, contest: Contest) -> None:
    assert make_contest_slug(event, "Route") == "route-2"
