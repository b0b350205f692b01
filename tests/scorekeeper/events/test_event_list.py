"""/desk/"""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import create_event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import get_page_text

pytestmark = pytest.mark.database


def test_it_lists_my_events_and_no_others(event: Event, other_event: Event, alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get("/desk/"))

    assert event.name in page
    assert other_event.name not in page


def test_a_co_organiser_sees_the_event_too(event: Event, bob: User, sign_in: SignIn) -> None:
    assert event.name in get_page_text(sign_in(bob).get("/desk/"))


def test_an_empty_list_explains_what_an_event_is(charlie: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(charlie).get("/desk/"))

    assert "No events yet" in page
    assert "/desk/events/new/" in page


@pytest.mark.parametrize(
    ("state", "statuses", "label"),
    [
        (Event.State.DRAFT, [], "Draft"),
        (Event.State.OPEN, [], "Open"),
        (Event.State.OPEN, [Contest.Status.OFFICIAL, Contest.Status.CLOSED], "Open"),
        (Event.State.OPEN, [Contest.Status.OFFICIAL, Contest.Status.OFFICIAL], "Official"),
    ],
)
def test_an_event_is_official_when_all_its_contests_are(
    event: Event, alice: User, sign_in: SignIn, state: str, statuses: list[str], label: str
) -> None:
    Event.objects.update(state=state)
    for number, status in enumerate(statuses):
        Contest.objects.create(
            event=event, name="X", slug=f"x{number}", game_key="rock-yahtzee", rules_version=1, status=status
        )

    page = get_page_text(sign_in(alice).get("/desk/"))

    badge = re.search(r'<span class="badge[^>]*>.*?</svg>\s*<span>(.*?)</span>', page)
    assert badge is not None
    assert badge[1] == label


def test_the_number_of_queries_does_not_grow_with_events(
    event: Event, alice: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(alice)
    for number in range(20):
        create_event(alice, name=f"Ride {number}", date=dt.date(2026, 5, 1), time_zone="UTC")

    with django_assert_num_queries(7):  # the session, its last use, the user, the events, contests, two questions
        client.get("/desk/")


def test_a_visitor_is_asked_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/desk/")["Location"] == "/sign-in/?next=/desk/"
