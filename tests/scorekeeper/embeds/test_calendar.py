"""Calendars of rides, as RFC 5545 has them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.embeds.icalendar import MAX_OCTETS, CalendarRide, escape_text, fold_line, write_calendar
from scorekeeper.embeds.models import CalendarEntry
from scorekeeper.events.models import Contest, Event
from scorekeeper.seasons.models import SeasonRound
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.embeds.conftest import change_event

ALL = "/rides.ics"


@pytest.fixture
def run(db: None, settings: Settings) -> Event:
    """A listed ride of two stops, without hours."""
    settings.BASE_URL = "https://rides.example.org"
    event = Event.objects.create(
        name="Short run",
        slug="short-run",
        date=dt.date(2026, 6, 20),
        time_zone="America/Edmonton",
        state=Event.State.OPEN,
        is_listed=True,
    )
    Stop.objects.create(event=event, name="Parks", ordinal=1, address="1 Main St; Olds, AB")
    Stop.objects.create(event=event, name="Finale", ordinal=2)
    return event


def unfold(content: bytes) -> list[str]:
    """Return the content lines of a calendar, after checking how they end and how long they are."""
    text = content.decode()
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= MAX_OCTETS for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")[:-1]


def read(url: str = ALL) -> Sequence[Mapping[str, str]]:
    """Return the properties of each ride in a calendar."""
    response: Any = Client().get(url)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = unfold(response.content)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    rides: list[dict[str, str]] = []
    for line in lines:
        if line == "BEGIN:VEVENT":
            rides.append({})
        elif rides and line != "END:VEVENT":
            name, _colon, value = line.partition(":")
            assert name not in rides[-1], "each property comes once"
            rides[-1][name] = value
    return rides


def set_hours(event: Event, opens: str, closes: str) -> None:
    Stop.objects.filter(event=event, ordinal=1).update(opens_at=opens)
    Stop.objects.filter(event=event, ordinal=2).update(closes_at=closes)


def test_a_ride_without_hours_is_all_day(run: Event) -> None:
    Contest.objects.create(event=run, name="Dice, again", slug="dice", game_key="rock-yahtzee", rules_version=1)

    (ride,) = read()

    created = f"{run.created_at:%Y%m%dT%H%M%SZ}"
    assert ride == {
        "UID": str(run.pk),
        "DTSTAMP": created,
        "LAST-MODIFIED": created,
        "SEQUENCE": "0",
        "DTSTART;VALUE=DATE": "20260620",
        "DTEND;VALUE=DATE": "20260621",
        "TRANSP": "TRANSPARENT",
        "SUMMARY": "Short run",
        "LOCATION": r"Parks\, 1 Main St\; Olds\, AB",
        "DESCRIPTION": r"Played: Dice\, again",
        "URL": "https://rides.example.org/events/short-run/",
        "STATUS": "CONFIRMED",
        "END": "VCALENDAR",
    }


def test_a_ride_has_its_hours_once_the_first_stop_opens_and_the_last_one_closes(run: Event) -> None:
    """In UTC: Edmonton is six hours behind in summer, and seven in winter."""
    set_hours(run, "09:30", "17:00")
    (ride,) = read()
    assert (ride["DTSTART"], ride["DTEND"]) == ("20260620T153000Z", "20260620T230000Z")
    assert "TRANSP" not in ride

    change_event(run, date=dt.date(2026, 12, 5))
    set_hours(run, "20:00", "01:30")
    (ride,) = read()
    assert (ride["DTSTART"], ride["DTEND"]) == ("20261206T030000Z", "20261206T083000Z"), "it ends after midnight"


def test_a_change_counts_and_nothing_else_does(run: Event) -> None:
    first = Client().get(ALL)
    assert Client().get(ALL).content == first.content
    assert CalendarEntry.objects.get().sequence == 0
    unchanged = Client().get(ALL, headers={"If-None-Match": first.headers["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")

    set_hours(run, "09:30", "17:00")

    (ride,) = read()
    assert (ride["UID"], ride["SEQUENCE"]) == (str(run.pk), "1")
    assert ride["DTSTAMP"] > f"{run.created_at:%Y%m%dT%H%M%SZ}" or ride["DTSTAMP"] == ride["LAST-MODIFIED"]
    assert Client().get(ALL, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
    change_event(run, people_shown=Event.PeopleShown.NUMBERS)
    (again,) = read()
    assert again == ride


def test_one_change_is_one_change_in_every_calendar(run: Event) -> None:
    read()
    change_event(run, name="Long run")
    assert [read(url)[0]["SEQUENCE"] for url in (ALL, "/events/short-run/ride.ics", ALL)] == ["1", "1", "1"]


def test_only_open_listed_rides_are_in_the_calendar_of_all(run: Event, ride: Ride) -> None:
    assert [one["SUMMARY"] for one in read()] == ["Short run"]
    change_event(run, is_listed=False)
    assert read() == []
    change_event(run, is_listed=True, state=Event.State.DRAFT)
    assert read() == []
    change_event(run, state=Event.State.OPEN, archived_at="2026-12-24T10:00:00Z")
    assert len(read()) == 1, "past rides stay in calendars"


def test_a_ride_that_is_not_listed_has_a_calendar_of_its_own(ride: Ride) -> None:
    change_event(ride.event, is_listed=False)
    (one,) = read(f"/events/{ride.event.slug}/ride.ics")
    assert one["SUMMARY"] == "Rock the Roll"
    change_event(ride.event, state=Event.State.DRAFT)
    assert Client().get(f"/events/{ride.event.slug}/ride.ics").status_code == 404


def test_a_season_has_a_calendar_of_its_listed_rides(first_round: SeasonRound, second_round: SeasonRound) -> None:
    change_event(first_round.contest.event, is_listed=True)

    url = f"/seasons/{first_round.season.slug}/rides.ics"

    assert [one["SUMMARY"] for one in read(url)] == ["May run"]
    assert Client().get("/seasons/none/rides.ics").status_code == 404


def test_a_ride_that_is_deleted_before_its_day_is_cancelled_where_it_was_seen(run: Event) -> None:
    change_event(run, date=dt.date(2199, 6, 20))
    event_id = str(run.pk)
    read()
    delete_event(run)

    for url in (ALL, "/events/short-run/ride.ics"):
        (ride,) = read(url)
        assert (ride["UID"], ride["STATUS"], ride["SEQUENCE"]) == (event_id, "CANCELLED", "1")
        assert (ride["SUMMARY"], ride["DTSTART;VALUE=DATE"]) == ("Short run", "21990620")
        assert not {"URL", "LOCATION", "DESCRIPTION"} & ride.keys()


def test_a_ride_that_was_hidden_and_renamed_is_cancelled_under_the_name_that_calendars_know(run: Event) -> None:
    change_event(run, date=dt.date(2199, 6, 20))
    read()
    change_event(run, is_listed=False, name="A secret")
    delete_event(run)

    assert [ride["SUMMARY"] for url in (ALL, "/events/short-run/ride.ics") for ride in read(url)] == 2 * ["Short run"]


def test_a_deleted_ride_that_nobody_saw_or_that_is_over_is_gone(run: Event) -> None:
    delete_event(run)
    assert read() == []
    assert Client().get("/events/short-run/ride.ics").status_code == 410

    past = Event.objects.create(
        name="Old run", slug="old-run", date=dt.date(2020, 6, 20), state=Event.State.OPEN, is_listed=True
    )
    assert len(read()) == 1
    delete_event(past)
    assert read() == []
    assert Client().get("/events/old-run/ride.ics").status_code == 410


def test_a_deleted_ride_that_was_not_listed_is_cancelled_only_in_its_own_calendar(run: Event) -> None:
    change_event(run, date=dt.date(2199, 6, 20), is_listed=False)
    read("/events/short-run/ride.ics")
    delete_event(run)

    assert read() == []
    assert read("/events/short-run/ride.ics")[0]["STATUS"] == "CANCELLED"


def test_a_practice_says_so(run: Event) -> None:
    change_event(run, is_practice=True)
    assert read("/events/short-run/ride.ics")[0]["SUMMARY"] == "Practice: Short run"


def test_a_calendar_is_in_the_language_of_the_event(run: Event) -> None:
    Contest.objects.create(event=run, name="Dice", slug="dice", game_key="rock-yahtzee", rules_version=1)
    reader = Client(headers={"Accept-Language": "fr"})
    assert reader.get(ALL).content == Client().get(ALL).content
    assert "Accept-Language" not in reader.get(ALL).headers.get("Vary", "")


def test_pages_link_to_their_calendars(run: Event) -> None:
    assert 'href="/events/short-run/ride.ics"' in Client().get("/events/short-run/").content.decode()
    assert 'href="/rides.ics"' in Client().get("/").content.decode()


def test_many_rides_take_as_many_statements_as_one(run: Event, django_assert_num_queries) -> None:
    read()
    with django_assert_num_queries(6):
        Client().get(ALL)
    for number in range(5):
        event = Event.objects.create(
            name=f"Run {number}", slug=f"run-{number}", date=dt.date(2026, 7, 1), state=Event.State.OPEN, is_listed=True
        )
        Stop.objects.create(event=event, name="Parks", ordinal=1)
    read()
    with django_assert_num_queries(6):
        Client().get(ALL)


@given(st.text())
def test_a_folded_line_has_short_parts_and_is_the_same_unfolded(text: str) -> None:
    text = re.sub(r"[\r\n]", "", text)
    folded = fold_line(text)
    assert all(len(part.encode(errors="surrogatepass")) <= MAX_OCTETS for part in folded.split("\r\n"))
    assert folded.replace("\r\n ", "") == text


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_is_a_value_of_one_line(text: str) -> None:
    escaped = escape_text(text)
    assert not re.search(r"[\x00-\x1f\x7f]|(?<!\\)(?:\\\\)*[;,]", escaped)
    unescaped = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], escaped)
    expected = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    assert unescaped == expected


def test_a_calendar_without_rides_is_one(db: None) -> None:
    assert unfold(write_calendar("Rides", []))[:3] == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tailgunner//Rides//EN",
    ]


def test_an_end_without_a_beginning_is_all_day() -> None:
    moment = dt.datetime(2026, 6, 20, 8, tzinfo=dt.UTC)
    ride = CalendarRide(
        id=Event().pk, name="x", date=dt.date(2026, 12, 31), sequence=0, changed_at=moment, ends_at=moment
    )
    lines = unfold(write_calendar("Rides", [ride]))
    assert {"DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101"} <= set(lines)
