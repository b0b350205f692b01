"""What an organiser is asked before an event is opened, and that none of it keeps them from opening it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.selectors.ready_questions import list_ready_questions
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.page_forms import save


def list_texts(event: Event) -> list[str]:
    return [question.text for question in list_ready_questions(event)]


def set_hours(stop: Stop, opens: str, closes: str) -> None:
    times = {"opens_at": opens, "closes_at": closes}
    Stop.objects.filter(pk=stop.pk).update(
        **{name: dt.time.fromisoformat(time) for name, time in times.items() if time}
    )


def test_a_ride_in_order_raises_no_question(ride: Ride) -> None:
    set_hours(ride.event.stops.all()[0], "09:00", "10:30")
    set_hours(ride.event.stops.all()[1], "09:30", "23:00")
    set_hours(ride.event.stops.all()[3], "20:00", "01:00")

    assert list_texts(ride.event) == []


def test_bikes_without_a_rider_or_a_group_are_named(ride: Ride) -> None:
    Player.objects.filter(bike__number__in=["3"]).delete()
    Bike.objects.filter(number__in=["5", "6"]).update(group=None)

    assert list_texts(ride.event) == [
        "Bike 3 has no rider.",
        "Bikes 5 and 6 are in no group, so no crew finds them in their list.",
    ]


def test_a_long_list_of_bikes_is_cut(ride: Ride) -> None:
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n, group=ride.group_one) for n in range(10)])

    assert list_texts(ride.event) == ["Bikes 100, 101, 102, 103, 104, 105, 106, 107 and 2 more have no rider."]


@pytest.mark.parametrize(
    ("opens", "closes", "question"),
    [
        ("10:00", "09:00", "Parks is open for 23 hours, 10:00 to 09:00 the next day. Is that right?"),
        ("10:00", "10:00", "Parks is open for 24 hours, 10:00 to 10:00 the next day. Is that right?"),
        ("08:00", "22:01", "Parks is open for 14 hours, 08:00 to 22:01. Is that right?"),
        ("10:00", "10:10", "Parks is open for 10 minutes, 10:00 to 10:10. Is that right?"),
    ],
)
def test_hours_that_are_hardly_meant_are_asked_about(ride: Ride, opens: str, closes: str, question: str) -> None:
    stop = ride.event.stops.get(name="Parks")
    set_hours(stop, opens, closes)

    [asked] = list_ready_questions(ride.event)

    assert asked.text == question
    assert asked.href == reverse("stops:edit", args=[ride.event.slug, stop.pk])


def test_a_stop_that_closes_before_the_stop_before_it_opens_is_asked_about(ride: Ride) -> None:
    set_hours(ride.event.stops.get(name="Parks"), "11:00", "13:00")
    set_hours(ride.event.stops.get(name="BBQ"), "09:00", "11:00")

    assert list_texts(ride.event) == ["BBQ closes at 11:00, before Parks opens at 11:00. Is that right?"]


def test_a_draft_shows_the_questions_and_can_be_opened_all_the_same(
    ride: Ride, organiser: Client, settings: Settings
) -> None:
    settings.BASE_URL = "https://rides.example.org"
    Event.objects.update(state=Event.State.DRAFT)
    set_hours(ride.event.stops.get(name="Parks"), "10:00", "09:00")
    overview, opening = (reverse(page, args=[ride.event.slug]) for page in ("desk:event", "events:open"))

    for address in (overview, opening):
        text = get_page_text(organiser.get(address))
        assert "Parks is open for 23 hours" in text
        assert "Everything is ready" not in text
        assert "Open the event" in text
    organiser.post(opening)

    assert Event.objects.get(pk=ride.event.pk).is_open


def test_hours_are_asked_about_right_after_the_stop_was_saved(ride: Ride, organiser: Client) -> None:
    stop = ride.event.stops.get(name="Parks")
    listed = reverse("stops:list", args=[ride.event.slug])
    assert "Please check" not in get_page_text(organiser.get(listed))

    form = {"name": "Parks", "opens_at": "10:00", "closes_at": "09:00"}
    save(organiser, reverse("stops:edit", args=[ride.event.slug, stop.pk]), form)

    text = get_page_text(organiser.get(listed))
    assert "Please check" in text
    assert "Parks is open for 23 hours, 10:00 to 09:00 the next day. Is that right?" in text


def test_a_bike_without_rider_or_group_is_asked_about_on_the_list_that_follows(ride: Ride, organiser: Client) -> None:
    Player.objects.filter(bike__number="3").delete()
    Bike.objects.filter(number__in=["5", "6"]).update(group=None)

    text = get_page_text(organiser.get(reverse("players:roster", args=[ride.event.slug])))

    assert "Bike 3 has no rider." in text
    assert f'<a href="{reverse("players:edit_bike", args=[ride.event.slug, ride.bikes[3].pk])}">Add the rider' in text
    assert "Bikes 5 and 6 are in no group" in text
    assert "Choose a group" not in text, "this is the page for it"


def test_the_page_that_opens_the_event_lists_what_is_still_to_do(event: Event, organiser: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)

    text = get_page_text(organiser.get(reverse("events:open", args=[event.slug])))

    assert text.count("still to do") == 6


def test_the_questions_cost_the_same_statements_for_any_number_of_bikes(ride: Ride, django_assert_num_queries) -> None:
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n) for n in range(30)])
    for stop in ride.event.stops.all():
        set_hours(stop, "10:00", "09:00")

    with django_assert_num_queries(4):
        assert len(list_ready_questions(ride.event)) == 6
