"""`/events/<id>/changes-stream`: tells the crew's phones that something in their ride has changed."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.services.messages import send_message, withdraw_message
from scorekeeper.events.models import Event
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.selectors.screen import get_screen
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.live.services import save_screen
from scorekeeper.live.sources import RideSource, find_ride_source
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import update_standings

__all__ = ["add_turn", "desk", "update_standings"]


def get_snapshot(source: RideSource) -> PageSnapshot:
    picture = source.take_snapshot()
    assert picture is not None
    return picture


def test_a_turn_a_message_and_the_opening_change_the_version_and_reveal_nothing(
    ride: Ride, add_turn, update_standings
) -> None:
    source = RideSource(ride.event)
    before = get_snapshot(source)
    assert get_snapshot(source).id == before.id

    words = [before.id]
    add_turn(1, 1, make_paper_turn("chance", 20))
    words.append(get_snapshot(source).id)  # at once: the standings may come later
    update_standings()
    words.append(get_snapshot(source).id)
    message = CrewMessage(event=ride.event, text="Rain at Parks")
    send_message(message)
    words.append(get_snapshot(source).id)
    withdraw_message(message)
    words.append(get_snapshot(source).id)
    freeze_standings(ride.event)
    words.append(get_snapshot(source).id)
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    words.append(get_snapshot(source).id)

    assert len(set(words)) == len(words)
    assert get_snapshot(source).diff_from(before) == words[-1]
    assert source.subjects == {ride.contest.pk, ride.event.pk}


def test_the_screen_the_freeze_and_messages_change_the_version_of_their_event(ride: Ride) -> None:
    assert get_versions([ride.event.pk]) == {}
    save_screen(get_screen(ride.event))
    freeze_standings(ride.event)
    message = CrewMessage(event=ride.event, text="Rain at Parks")
    send_message(message)
    assert get_versions([ride.event.pk]) == {ride.event.pk: 3}
    withdraw_message(message)
    withdraw_message(message)
    assert get_versions([ride.event.pk]) == {ride.event.pk: 4}


def test_a_snapshot_takes_seven_queries(ride: Ride) -> None:
    source = RideSource(ride.event)

    with CaptureQueriesContext(
        connection,
    ) as made:
        get_snapshot(source)

    assert len(made) == 7


@pytest.mark.django_db
def test_there_is_no_stream_for_an_unknown_ride(client: Client) -> None:
    assert find_ride_source(uuid4()) is None
    assert client.get(reverse("live:changes", args=[uuid4()])).status_code == 401


def test_without_a_stream_server_the_page_is_told_that_there_is_no_stream(crew_client: CrewClient, ride: Ride) -> None:
    assert crew_client(ride.rita).get(reverse("live:changes", args=[ride.event.pk])).status_code == 204
