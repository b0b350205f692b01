"""`/desk/copy/`: "Copy an event"."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text

PAGE = "/desk/copy/"


def fill(ride: Event, **changes: str) -> dict[str, str]:
    return {"source": str(ride.pk), "name": "Rock the Roll 2027", "date": "2027-06-19", **changes}


def test_both_pages_on_which_an_event_starts_lead_to_it(ride: Ride, organiser: Client) -> None:
    for page in ("/desk/", "/desk/events/new/"):
        assert f'href="{PAGE}"' in get_page_text(organiser.get(page))


def test_nobody_without_a_ride_is_offered_to_copy_one(charlie: User, sign_in: SignIn) -> None:
    client = sign_in(charlie)

    for page in ("/desk/", "/desk/events/new/"):
        assert PAGE not in get_page_text(client.get(page))
    assert "No event to copy yet" in get_visible_text(client.get(PAGE))


def test_it_suggests_the_same_weekday_a_year_later(ride: Ride, organiser: Client) -> None:
    form = organiser.get(f"{PAGE}?event={ride.event.slug}").context["form"]

    assert form["name"].value() == "Rock the Roll"
    assert str(form["date"].value()) == "2027-06-19"


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("Summer Ride 2026", "Summer Ride 2027"),
        ("2026: the 50th", "2027: the 50th"),
        ("Route 20260", "Route 20260"),
        ("Since 1998", "Since 1998"),
    ],
)
def test_the_year_in_the_name_is_that_of_the_new_date(ride: Ride, organiser: Client, name: str, suggested: str) -> None:
    Event.objects.update(name=name)

    form = organiser.get(f"{PAGE}?event={ride.event.slug}").context["form"]

    assert form["name"].value() == suggested


@pytest.mark.parametrize(("roster", "said"), [({"with_roster": "on"}, "8 bikes, 9 people"), ({}, "0 bikes, 0 people")])
def test_the_result_is_a_draft_and_a_page_that_says_what_came_along(
    ride: Ride, organiser: Client, roster: dict[str, str], said: str
) -> None:
    response = organiser.post(PAGE, fill(ride.event, **roster), follow=True)

    event = Event.objects.get(name="Rock the Roll 2027")
    assert (event.state, str(event.date)) == ("draft", "2027-06-19")
    text = get_visible_text(response)
    assert response.redirect_chain == [(reverse("desk:copied", args=[event.slug]), 302)]
    assert "4 stops" in text
    assert "1 contest, with 5 turns at stops" in text
    assert "2 groups: 4 crew, 6 dice sets" in text
    assert said in text


def test_the_page_names_what_could_not_be_copied(ride: Ride, organiser: Client) -> None:
    Contest.objects.create(event=ride.event, name="Old", slug="old", game_key="liars-dice", rules_version=1)

    response = organiser.post(PAGE, fill(ride.event), follow=True)

    assert "“Old” was left out: its game (liars-dice) is not installed here." in get_visible_text(response)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"name": " "}, "id_name", "Enter the name of the event."),
        ({"date": ""}, "id_date", "Enter the date of the event."),
        ({"date": "next June"}, "id_date", "Enter a date, such as 2026-06-20."),
        ({"source": ""}, "id_source", "Choose the event to copy."),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_copied(
    ride: Ride, organiser: Client, changes: dict[str, str], field: str, message: str
) -> None:
    assert_refused(organiser.post(PAGE, fill(ride.event, **changes)), field, message)

    assert Event.objects.count() == 1


def test_another_clubs_ride_cannot_be_copied(ride: Ride, other_event: Event, organiser: Client) -> None:
    assert_refused(organiser.post(PAGE, fill(other_event)), "id_source", "Choose one of your events.")
    assert "Charlie's run" not in get_page_text(organiser.get(f"{PAGE}?event={other_event.slug}"))


def test_a_practice_event_is_not_offered(ride: Ride, organiser: Client) -> None:
    Event.objects.update(is_practice=True)

    response = organiser.post(PAGE, fill(ride.event))

    assert response.status_code == 422
    assert Event.objects.count() == 1


def test_an_archived_ride_can_be_copied(ride: Ride, organiser: Client) -> None:
    Event.objects.update(archived_at="2026-09-01T10:00:00Z")

    organiser.post(PAGE, fill(ride.event))

    assert Event.objects.get(name="Rock the Roll 2027").archived_at is None
