"""How often the API may be read, and that recording and pages stay as they are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.events.models import AccessToken
from scorekeeper.events.services.access_tokens import create_access_token
from tests.scorekeeper.api.conftest import post
from tests.scorekeeper.conftest import CrewClient, Ride

pytestmark = pytest.mark.django_db
LIMIT = 3


@pytest.fixture(autouse=True)
def _few(settings: Settings) -> None:
    settings.API_READS_PER_ADDRESS = settings.API_READS_PER_TOKEN = LIMIT


def read(ride: Ride, address: str = "192.0.2.1", token: str = "", **headers: str) -> Any:
    if token:
        headers["Authorization"] = f"Bearer {token}"
    url = reverse("api:standings", args=[ride.event.slug, ride.contest.slug])
    return Client(REMOTE_ADDR=address).get(url, headers=headers)


def make_token(user: User) -> str:
    return create_access_token(user, "website", AccessToken.Scope.READ, timedelta(days=1))[1]


def test_too_many_reads_from_an_address_are_refused_with_the_time_to_wait(ride: Ride) -> None:
    for _time in range(LIMIT):
        assert read(ride).status_code == 200
    refused = read(ride)

    assert refused.status_code == 429
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    problem = refused.json()
    assert (problem["status"], problem["code"]) == (429, "too_many_requests")
    assert "Retry-After" in problem["detail"]
    assert read(ride, "192.0.2.2").status_code == 200


def test_an_unchanged_answer_counts_as_well(ride: Ride) -> None:
    etag = read(ride).headers["ETag"]
    statuses = [read(ride, **{"If-None-Match": etag}).status_code for _time in range(LIMIT)]
    assert statuses == [304, 304, 429]


def test_a_token_is_counted_wherever_it_comes_from_and_by_itself(ride: Ride, alice: User, bob: User) -> None:
    one, other = make_token(alice), make_token(bob)
    for number in range(LIMIT):
        assert read(ride, f"192.0.2.{number}", one).status_code == 200
    assert read(ride, "192.0.2.9", one).status_code == 429
    assert read(ride, "192.0.2.1", other).status_code == 200
    assert read(ride, "192.0.2.1").status_code == 200


def test_addresses_of_one_ipv6_connection_count_together(ride: Ride) -> None:
    statuses = [read(ride, f"2001:db8::{number}").status_code for number in range(LIMIT + 1)]
    assert statuses == [200] * LIMIT + [429]


def test_recording_and_pages_are_not_limited(ride: Ride, crew_client: CrewClient, turn_operation) -> None:
    phone = crew_client(ride.rita)
    for _time in range(LIMIT + 3):
        response = post(phone, {"operations": [{**turn_operation(1, 1, "aces", 3), "id": str(uuid4())}]})
        assert response.status_code == 200
        assert phone.get(reverse("offline:ride_parts")).status_code == 200
        for route in ("results:leaderboard", "results:event"):
            args = [ride.event.slug, ride.contest.slug][: 2 if route == "results:leaderboard" else 1]
            assert Client().get(reverse(route, args=args)).status_code == 200
    assert read(ride, "127.0.0.1").status_code == 200
