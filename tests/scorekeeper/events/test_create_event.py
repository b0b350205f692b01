"""/desk/events/new/"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.models import Event
from scorekeeper.events.services.events import make_event_slug
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text

GOOD = {"name": "Rock the Roll", "date": "2026-06-20", "time_zone": "America/Edmonton", "people_shown": "initials"}


def test_an_event_starts_as_a_draft_that_is_not_listed(alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).post("/desk/events/new/", GOOD)

    event = Event.objects.get()
    assert response.status_code == 302
    assert response["Location"].startswith(f"/desk/events/{event.slug}/")
    assert (event.state, event.is_listed, event.people_shown) == ("draft", False, "initials")
    assert [organiser.user for organiser in event.organisers.all()] == [alice]


def test_its_slug_is_readable_but_cannot_be_guessed(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    for _twice in range(2):
        client.post("/desk/events/new/", GOOD)

    first, second = Event.objects.values_list("slug", flat=True)

    assert first != second
    assert all(re.fullmatch(r"rock-the-roll-[a-z0-9]{8}", slug) for slug in (first, second))


@pytest.mark.parametrize("name", ["走れ", "!!!", "x" * 120])
def test_any_name_gives_a_valid_slug(name: str) -> None:
    slug = make_event_slug(name)

    assert re.fullmatch(r"[a-z0-9-]+", slug)
    Event(slug=slug).clean_fields(exclude=["name", "date"])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", " ", "Enter the name of the event."),
        ("date", "", "Enter the date of the event."),
        ("date", "soon", "Enter a date, such as 2026-06-20."),
        ("time_zone", "", "Enter the time zone of the event, such as America/Edmonton."),
        (
            *("time_zone", "Red Deer"),
            "There is no time zone called “Red Deer”. Type the largest city nearby, such as Edmonton.",
        ),
    ],
)
def test_an_error_is_shown_at_its_field_and_other_input_is_kept(
    alice: User, sign_in: SignIn, field: str, value: str, message: str
) -> None:
    response = sign_in(alice).post("/desk/events/new/", {**GOOD, field: value})

    assert_refused(response, f"id_{field}", message)
    valid = {"name": "Rock the Roll", "date": "2026-06-20", "time_zone": "America/Edmonton"}
    assert all(f'value="{text}"' in get_page_text(response) for name, text in valid.items() if name != field)
    assert not Event.objects.exists()


def test_time_zones_are_suggested_by_name(alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get("/desk/events/new/"))

    assert 'list="time-zones"' in page
    assert '<option value="America/Edmonton">' in page


def test_the_time_zone_is_that_of_the_last_ride_until_the_browser_replaces_it(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    field = r'<input[^>]* name="time_zone" value="{}"[^>]* data-preset-time-zone'
    assert re.search(field.format("UTC"), get_page_text(client.get("/desk/events/new/")))
    client.post("/desk/events/new/", GOOD)

    assert re.search(field.format("America/Edmonton"), get_page_text(client.get("/desk/events/new/")))
    typed = get_page_text(client.post("/desk/events/new/", {**GOOD, "name": ""}))
    assert "data-preset-time-zone" not in typed, "a typed time zone is not replaced"


def test_creating_an_event_needs_an_account(client: Client, db: None) -> None:
    response = client.post("/desk/events/new/", GOOD)

    assert response["Location"].startswith("/sign-in/")
    assert not Event.objects.exists()
