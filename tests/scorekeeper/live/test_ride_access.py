"""`/events/<id>/changes-stream`: only the phones of the ride and its organisers get it, as long as they have access."""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings
from scorekeeper.crew.models import Device
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.live.stream_server import StreamReader, StreamServer, serve
from tests.scorekeeper.scorecards.conftest import add_turn, make_paper_turn

__all__ = ["add_turn"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.program]


@pytest.fixture(scope="module")
def running_server(django_db_setup: None) -> Iterator[StreamServer]:
    with serve() as running:
        yield running


@pytest.fixture
def server(running_server: StreamServer, transactional_db: None) -> Iterator[StreamServer]:
    yield running_server
    running_server.reset()


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("live:changes", args=[ride.event.pk])


def write_cookies(client: Client) -> str:
    cookies: SimpleCookie = client.cookies
    return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())


def open_as(server: StreamServer, client: Client, url: str) -> StreamReader:
    return server.open_stream(url, cookie=write_cookies(client))


def test_the_crew_and_the_organisers_get_it_also_during_a_freeze(
    server: StreamServer, ride: Ride, url: str, add_turn, crew_client: CrewClient, sign_in: SignIn, alice: User
) -> None:
    freeze_standings(ride.event)
    readers = [open_as(server, client, url) for client in (crew_client(ride.gus), sign_in(alice))]
    versions = [reader.read()[1] for reader in readers]
    assert [reader.response.status for reader in readers] == [200, 200]

    add_turn(1, 1, make_paper_turn("chance", 20))

    for reader, before in zip(readers, versions, strict=True):
        event = reader.read()
        while event[0] == "beat":
            event = reader.read()
        assert event[0] == "rows"
        assert event[1] != before


def test_nobody_else_gets_it_or_learns_that_the_ride_exists(
    server: StreamServer, ride: Ride, url: str, crew_client: CrewClient, sign_in: SignIn, charlie: User, other_event
) -> None:
    unknown = reverse("live:changes", args=[uuid4()])
    elsewhere = reverse("live:changes", args=[other_event.pk])
    revoked = crew_client(ride.tom)
    Device.objects.filter(member=ride.tom).update(revoked_at=timezone.now())
    for client, of_another, status in (
        (Client(), url, 401),
        (revoked, url, 401),
        (sign_in(charlie), url, 404),
        (crew_client(ride.rita), elsewhere, 404),
    ):
        headers = {"cookie": write_cookies(client)} if client.cookies else {}
        answers = [server.request(address, **headers) for address in (of_another, unknown)]
        assert [answer.status for answer in answers] == [status, status]
        assert {answer.headers["Content-Type"] for answer in answers} == {"text/html; charset=utf-8"}


@pytest.mark.slow
def test_it_ends_soon_after_the_phone_was_revoked(
    server: StreamServer, ride: Ride, url: str, crew_client: CrewClient
) -> None:
    reader = open_as(server, crew_client(ride.rita), url)
    assert reader.read()[0] == "rows"

    Device.objects.filter(member=ride.rita).update(revoked_at=timezone.now())

    while (event := reader.read()) != ("", ""):
        assert event[0] == "beat"
