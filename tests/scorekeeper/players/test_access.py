"""Who may open the pages on which a ride is set up: every address of these rooms, found by itself, for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scorekeeper.crew import urls as crew_urls
from scorekeeper.crew.services.devices import make_device
from scorekeeper.events import urls as events_urls
from scorekeeper.events.models import Event, Organiser
from scorekeeper.players import urls as players_urls
from scorekeeper.players.models import Player
from scorekeeper.stops import urls as stops_urls
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn

# Named here on purpose: whoever adds an address outside an event has to say who may open it.
OUTSIDE_EVENTS = {
    "events:sign_in",
    "events:sign_out",
    "events:list",
    "events:create",
    "crew:join",
    "crew:sign_out",
}
NAMES = {
    f"{module.app_name}:{pattern.name}": pattern
    for module in (events_urls, stops_urls, crew_urls, players_urls)
    for pattern in module.urlpatterns
}
DESK = sorted(set(NAMES) - OUTSIDE_EVENTS)
POST_ONLY = {"stops:move", "crew:move_group", "crew:invite"}
WITH_AN_ID = [name for name in DESK if set(NAMES[name].pattern.converters) - {"slug", "game_key"}]

Answers = dict[tuple[str, str], HttpResponse]


@pytest.fixture
def ids(ride: Ride, alice: User) -> dict[str, Any]:
    """One thing of the ride for every kind of id in an address."""
    device, _token = make_device(ride.tom)
    return {
        "slug": ride.event.slug,
        "organiser_id": Organiser.objects.get(user=alice).pk,
        "contest_slug": ride.contest.slug,
        "game_key": ride.contest.game_key,
        "stop_id": ride.stops[0].pk,
        "group_id": ride.group_one.pk,
        "member_id": ride.rita.pk,
        "device_id": device.pk,
        "bike_id": ride.bikes[1].pk,
        "player_id": Player.objects.get(name="Zoe").pk,
    }


def address_of(name: str, ids: dict[str, Any]) -> str:
    return reverse(name, kwargs={key: ids[key] for key in NAMES[name].pattern.converters})


def test_every_address_but_the_named_ones_belongs_to_an_event() -> None:
    assert all(str(NAMES[name].pattern).startswith("desk/events/<slug:slug>/") for name in DESK)
    assert set(NAMES) >= OUTSIDE_EVENTS


def ask_all(client: Client, names: Iterable[str], ids: dict[str, Any], *methods: str) -> Answers:
    """Ask for every address by every method; none of the answers may change anything for those that come after."""
    data = {"direction": "up", "confirm": "yes"}
    return {
        (name, method): getattr(client, method)(address_of(name, ids), data if method == "post" else None)
        for name in names
        for method in methods
    }


def list_differences(answers: Answers, is_right: Callable[[str, str, HttpResponse], bool]) -> list[str]:
    """Return the addresses that answer otherwise than they should."""
    return [
        f"{method} {name}: {response.status_code}"
        for (name, method), response in answers.items()
        if not is_right(name, method, response)
    ]


def is_asked_to_sign_in(_name: str, _method: str, response: HttpResponse) -> bool:
    return response.status_code == 302 and response["Location"].startswith("/sign-in/?next=")


def test_an_organiser_of_the_event_is_let_in(ids: dict[str, Any], bob: User, sign_in: SignIn) -> None:
    def is_let_in(name: str, _method: str, response: HttpResponse) -> bool:
        right = (405,) if name in POST_ONLY else (200, 302)
        return response.status_code in right and "/sign-in/" not in response.headers.get("Location", "")

    answers = ask_all(sign_in(bob), DESK, ids, "get")

    assert list_differences(answers, is_let_in) == []
    assert all("no-store" in response["Cache-Control"] for response in answers.values())


def test_to_an_organiser_of_other_events_they_are_not_there(
    ids: dict[str, Any], charlie: User, sign_in: SignIn
) -> None:
    answers = ask_all(sign_in(charlie), DESK, ids, "get", "post")

    assert list_differences(answers, lambda _name, _method, response: response.status_code == 404) == []


def test_whoever_is_not_signed_in_is_asked_to(ids: dict[str, Any], client: Client) -> None:
    answers = ask_all(client, DESK, ids, "get", "post")

    assert list_differences(answers, is_asked_to_sign_in) == []


def test_a_phone_of_the_crew_does_not_reach_the_desk(ids: dict[str, Any], ride: Ride, crew_client: CrewClient) -> None:
    answers = ask_all(crew_client(ride.rita), DESK, ids, "get", "post")

    assert list_differences(answers, is_asked_to_sign_in) == []


def test_nothing_of_this_event_is_reached_through_another(
    ids: dict[str, Any], other_event: Event, charlie: User, sign_in: SignIn
) -> None:
    def is_not_there(name: str, method: str, response: HttpResponse) -> bool:
        return response.status_code == (405 if name in POST_ONLY and method == "get" else 404)

    answers = ask_all(sign_in(charlie), WITH_AN_ID, {**ids, "slug": other_event.slug}, "get", "post")

    assert list_differences(answers, is_not_there) == []


def test_a_form_sent_from_another_site_is_refused(ids: dict[str, Any], alice: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)

    answers = ask_all(strict, DESK, ids, "post")

    assert list_differences(answers, lambda _name, _method, response: response.status_code == 403) == []
