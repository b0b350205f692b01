"""A phone's report of its unsent entries, with or without operations in the request."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.crew.models import CrewMember, Device
from tests.scorekeeper.api.conftest import list_outcomes, post
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.statements import list_statements

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def get_report(member: CrewMember) -> tuple[int, int] | None:
    """Return the last report of the member's only phone."""
    device = Device.objects.get(member=member)
    return None if device.reported_at is None else (device.unsent, device.attention)


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Client:
    """Rita's phone."""
    return crew_client(ride.rita)


def test_a_phone_without_a_report_is_unknown(ride: Ride, phone: Client, turn_operation) -> None:
    assert post(phone, {"operations": [turn_operation(1, 1, "aces", 3)]}).status_code == 200
    assert get_report(ride.rita) is None


def test_a_phone_with_nothing_to_send_can_report(ride: Ride, phone: Client) -> None:
    response = post(phone, {"operations": [], "report": {"unsent": 0, "attention": 2}})

    assert response.status_code == 200
    assert response.json()["receipts"] == []
    assert get_report(ride.rita) == (0, 2)
    device = Device.objects.get()
    assert device.last_seen_at == device.reported_at


def test_the_last_report_counts(ride: Ride, phone: Client, turn_operation) -> None:
    post(phone, {"operations": [turn_operation(1, 1, "aces", 3)], "report": {"unsent": 7, "attention": 1}})
    assert get_report(ride.rita) == (7, 1)

    post(phone, {"operations": [turn_operation(1, 2, "twos", 4)], "report": {"unsent": 0, "attention": 0}})
    assert get_report(ride.rita) == (0, 0)


def test_entries_that_were_not_accepted_are_still_counted(ride: Ride, phone: Client, turn_operation) -> None:
    sent = [
        turn_operation(1, 1, "chance", 20),
        turn_operation(1, 1, "chance", 21),  # goes to review, so the server has it
        {**turn_operation(2, 1, "aces", 3), "bike": str(uuid4())},
        {**turn_operation(2, 1, "aces", 3), "kind": "dance"},
        turn_operation(5, 1, "aces", 3),
    ]

    response = post(phone, {"operations": sent, "report": {"unsent": 10, "attention": 0}})

    outcomes = list_outcomes(response.json()["receipts"])
    assert outcomes == ["recorded", "conflict", "not_yet", "unreadable", "not_yours"]
    assert get_report(ride.rita) == (11, 2)


@pytest.mark.parametrize(
    "report",
    [
        None,
        7,
        [],
        {},
        {"unsent": 1},
        {"unsent": 1, "attention": 0, "more": 1},
        {"unsent": -1, "attention": 0},
        {"unsent": 1.0, "attention": 0},
        {"unsent": True, "attention": 0},
        {"unsent": "1", "attention": 0},
        {"unsent": 0, "attention": None},
        {"unsent": 0, "attention": 10**7},
        {"unsent": 10**30, "attention": 0},
    ],
)
def test_a_malformed_report_is_refused_and_nothing_recorded(
    ride: Ride, phone: Client, turn_operation, report: Any
) -> None:
    one = turn_operation(1, 1, "aces", 3)

    response = post(phone, {"operations": [one], "report": report})

    assert response.status_code == 422
    assert "whole numbers" in response.json()["error"]["message"] or "report" in response.json()["error"]["message"]
    assert get_report(ride.rita) is None
    assert list_outcomes(post(phone, {"operations": [one]}).json()["receipts"]) == ["recorded"]


def test_a_report_takes_one_more_statement(phone: Client, turn_operation) -> None:
    post(phone, {"operations": [turn_operation(bike, 1, "aces", 3) for bike in (1, 2)]})

    def list_statements_of(slot: int, box: str, **more: Any) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            post(phone, {"operations": [turn_operation(bike, slot, box, 6) for bike in (1, 2)], **more})
        return [name for name in list_statements(queries) if not name.startswith(("SELECT events", "SELECT stops"))]

    without = list_statements_of(2, "twos")
    assert list_statements_of(3, "threes", report={"unsent": 0, "attention": 0}) == [*without, "UPDATE crew_device"]
    assert "UPDATE crew_device" not in without
