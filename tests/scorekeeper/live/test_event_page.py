"""`/events/<slug>/stream`: live updates of who leads each contest."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.sources import EventPageSource, find_event_page_source
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.live.stream_server import serve
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import close, update_standings
from tests.scorekeeper.table_fixtures import make_contest

pytestmark = pytest.mark.database

__all__ = ["add_turn", "close", "desk", "update_standings"]


@pytest.fixture
def campfire(ride: Ride) -> Contest:
    """A second contest, without any turns."""
    return make_contest(ride.event, "rogue", "Campfire", 2)


def get_snapshot(source: EventPageSource) -> PageSnapshot:
    snapshot = source.take_snapshot()
    assert snapshot is not None
    return snapshot


def test_a_new_lead_is_sent_with_its_contest_alone(ride: Ride, campfire: Contest, add_turn, update_standings) -> None:
    source = EventPageSource(ride.event)
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    before = get_snapshot(source)

    add_turn(3, 1, make_paper_turn("chance", 24))
    update_standings()
    sent = get_snapshot(source).diff_from(before)

    assert f'id="contest-{ride.contest.pk}" hx-swap-oob="true"' in sent
    assert "Bike 3 (Cleo), Total: 24" in sent
    assert 'data-place="R.O.C.K. Yahtzee, in the lead: Bike 3 (Cleo), Total: 24"' in sent
    assert str(campfire.pk) not in sent


def test_a_turn_that_changes_no_lead_changes_nothing(ride: Ride, add_turn, update_standings) -> None:
    source = EventPageSource(ride.event)
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    before = get_snapshot(source)

    add_turn(3, 1, make_paper_turn("chance", 12))
    update_standings()

    assert get_snapshot(source).id == before.id


def test_closing_a_contest_is_seen(ride: Ride, add_turn, update_standings, close) -> None:
    source = EventPageSource(ride.event)
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    before = get_snapshot(source)

    close()

    assert "Closed" in get_snapshot(source).diff_from(before)


def test_a_contest_that_is_added_appears_and_is_watched_from_then_on(ride: Ride) -> None:
    source = EventPageSource(ride.event)
    before = get_snapshot(source)
    campfire = make_contest(ride.event, "rogue", "Campfire", 2)

    sent = get_snapshot(source).diff_from(before)

    assert re.search(r'id="event" hx-swap-oob="true".*Campfire', sent, re.DOTALL)
    assert source.subjects == {ride.event.pk, ride.contest.pk, campfire.pk}


def test_an_event_without_contests_has_a_snapshot_too(event: Event) -> None:
    source = EventPageSource(event)

    assert "No games yet" in get_snapshot(source).render()
    assert source.subjects == {event.pk}


def test_the_page_and_the_stream_show_the_same(ride: Ride, client: Client, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    snapshot = get_snapshot(EventPageSource(ride.event))
    page = client.get(reverse("results:event", args=[ride.event.slug])).content.decode()

    assert f"?last={snapshot.id}" in page
    assert all(part.html in page for part in snapshot.parts.values())


def test_a_draft_has_no_stream(ride: Ride, client: Client) -> None:
    source, url = EventPageSource(ride.event), reverse("live:event", args=[ride.event.slug])
    assert client.get(url).status_code == 204, "where no ASGI serves it"

    Event.objects.update(state=Event.State.DRAFT)

    assert source.take_snapshot() is None
    assert find_event_page_source(ride.event.slug) is None
    assert client.get(url).status_code == 404


def test_a_snapshot_takes_as_many_queries_for_many_contests_as_for_one(ride: Ride, add_turn, update_standings) -> None:
    source = EventPageSource(ride.event)

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            get_snapshot(source)
        return len(queries)

    few = statements()
    for number in range(2, 6):
        make_contest(ride.event, "rogue", f"Campfire {number}", number)
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()

    assert statements() == few


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_viewers_of_the_page_are_sent_what_changes(ride: Ride, add_turn, update_standings) -> None:
    with serve() as server:
        page = server.request(reverse("results:event", args=[ride.event.slug])).read().decode()
        connect = re.search(r'sse-connect="([^"]+)"', page)
        assert connect
        watcher = server.open_stream(connect[1])
        assert watcher.read()[0] == "beat", "nothing that the page has"

        add_turn(3, 1, make_paper_turn("chance", 24))
        update_standings()

        name, sent = watcher.read_until("Cleo")[-1]
        assert name == "rows"
        assert sent.startswith(f'<template><li class="panel stack stack--tight" id="contest-{ride.contest.pk}"')
