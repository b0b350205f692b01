"""`/events/<slug>/stream`: who leads what, as it changes."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.live.event_page import EventPageSource, find_event_page
from scorekeeper.live.picture import Picture
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.live.server import serve
from tests.scorekeeper.scorecards.conftest import desk, note, paper
from tests.scorekeeper.standings.conftest import close, follow
from tests.scorekeeper.tables.conftest import set_up

__all__ = ["close", "desk", "follow", "note"]


@pytest.fixture
def campfire(ride: Ride) -> Contest:
    """A second contest, that nobody has begun."""
    return set_up(ride.event, "rogue", "Campfire", 2)


def look(source: EventPageSource) -> Picture:
    picture = source.take_picture()
    assert picture is not None
    return picture


def test_a_new_lead_is_sent_with_its_contest_alone(ride: Ride, campfire: Contest, note, follow) -> None:
    source = EventPageSource(ride.event)
    note(1, 1, paper("chance", 20))
    follow()
    before = look(source)

    note(3, 1, paper("chance", 24))
    follow()
    sent = look(source).since(before)

    assert f'id="contest-{ride.contest.pk}" hx-swap-oob="true"' in sent
    assert "Bike 3 (Cleo), Total: 24" in sent
    assert 'data-place="R.O.C.K. Yahtzee, in the lead: Bike 3 (Cleo), Total: 24"' in sent
    assert str(campfire.pk) not in sent


def test_a_turn_that_changes_no_lead_changes_nothing(ride: Ride, note, follow) -> None:
    source = EventPageSource(ride.event)
    note(1, 1, paper("chance", 20))
    follow()
    before = look(source)

    note(3, 1, paper("chance", 12))
    follow()

    assert look(source).id == before.id


def test_closing_a_contest_is_seen(ride: Ride, note, follow, close) -> None:
    source = EventPageSource(ride.event)
    note(1, 1, paper("chance", 20))
    follow()
    before = look(source)

    close()

    assert "Closed" in look(source).since(before)


def test_a_contest_that_is_added_stands_there_and_is_watched_from_then_on(ride: Ride) -> None:
    source = EventPageSource(ride.event)
    before = look(source)
    campfire = set_up(ride.event, "rogue", "Campfire", 2)

    sent = look(source).since(before)

    assert re.search(r'id="event" hx-swap-oob="true".*Campfire', sent, re.DOTALL)
    assert source.subjects == {ride.contest.pk, campfire.pk}


def test_an_event_with_nothing_to_play_has_a_picture_too(event: Event) -> None:
    source = EventPageSource(event)

    assert "Nothing is played yet" in look(source).draw()
    assert source.subjects == frozenset()


def test_the_page_and_the_stream_show_the_same(ride: Ride, client: Client, note, follow) -> None:
    note(1, 1, paper("chance", 20))
    follow()
    picture = look(EventPageSource(ride.event))
    page = client.get(reverse("results:event", args=[ride.event.slug])).content.decode()

    assert f"?last={picture.id}" in page
    assert all(part.html in page for part in picture.parts.values())


def test_a_draft_has_no_stream(ride: Ride, client: Client) -> None:
    source, url = EventPageSource(ride.event), reverse("live:event", args=[ride.event.slug])
    assert client.get(url).status_code == 204, "where no ASGI serves it"

    Event.objects.update(state=Event.State.DRAFT)

    assert source.take_picture() is None
    assert find_event_page(ride.event.slug) is None
    assert client.get(url).status_code == 404


def test_a_look_takes_as_many_statements_for_many_contests_as_for_one(ride: Ride, note, follow) -> None:
    source = EventPageSource(ride.event)

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            look(source)
        return len(queries)

    few = statements()
    for number in range(2, 6):
        set_up(ride.event, "rogue", f"Campfire {number}", number)
    note(1, 1, paper("chance", 20))
    follow()

    assert statements() == few


@pytest.mark.django_db(transaction=True)
def test_whoever_looks_at_the_page_is_sent_what_changes(ride: Ride, note, follow) -> None:
    with serve() as server:
        page = server.ask(reverse("results:event", args=[ride.event.slug])).read().decode()
        connect = re.search(r'sse-connect="([^"]+)"', page)
        assert connect
        watcher = server.watch(connect[1])
        assert watcher.read()[0] == "beat", "nothing that the page has"

        note(3, 1, paper("chance", 24))
        follow()

        name, sent = watcher.read_until("Cleo")[-1]
        assert name == "rows"
        assert sent.startswith(f'<template><li class="panel stack stack--tight" id="contest-{ride.contest.pk}"')
