"""Access to the operations API: which phones, from which pages, in which format, and the errors otherwise."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.models import Device
from scorekeeper.crew.services.devices import revoke_device
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from tests.scorekeeper.api.conftest import list_outcomes, post
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Client:
    return crew_client(ride.rita)


@pytest.fixture
def queue(turn_operation) -> dict[str, Any]:
    return {"operations": [turn_operation(1, 1, "aces", 3)]}


def get_error(response: Any) -> tuple[int, str]:
    """Return the status and the code; check that there is a message and that nothing was recorded."""
    error = response.json()["error"]
    assert error["message"]
    assert not Operation.objects.exists()
    assert response.headers["Cache-Control"] == "private, no-store"
    return response.status_code, error["code"]


def test_a_phone_without_a_device_is_told_how_to_sign_in(ride: Ride, queue, sign_in: SignIn, alice: User) -> None:
    stranger = Client()
    stranger.cookies[DEVICE_COOKIE] = "made-up"
    for client in (Client(), stranger, sign_in(alice)):
        response = post(client, queue)
        assert get_error(response) == (401, "signed_out")
        assert "open the link" in response.json()["error"]["message"]


def test_a_revoked_device_is_refused_at_once(phone: Client, queue) -> None:
    assert post(phone, {"operations": []}).status_code == 200
    revoke_device(Device.objects.get())

    assert get_error(post(phone, queue)) == (401, "signed_out")


def test_nothing_is_recorded_at_an_event_that_is_not_open(ride: Ride, phone: Client, queue) -> None:
    ride.event.state = Event.State.DRAFT
    ride.event.save()

    assert get_error(post(phone, queue)) == (409, "not_open")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://testserver"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"},  # BASE_URL, behind a proxy
    ],
)
def test_our_own_pages_and_other_programs_may_send(phone: Client, queue, headers: dict[str, str]) -> None:
    assert list_outcomes(post(phone, queue, **headers).json()["receipts"]) == ["recorded"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "https://testserver"},
        {"Origin": "http://testserver:81"},
        {"Origin": "http://testserver.evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://[", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "same-site"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
)
def test_pages_of_other_sites_may_not_send(phone: Client, queue, headers: dict[str, str]) -> None:
    assert get_error(post(phone, queue, **headers)) == (403, "foreign_origin")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_anything_but_json_is_refused(phone: Client, kind: str) -> None:
    """A form on another site could send these without a preflight request."""
    response = phone.post(reverse("api:operations"), '{"operations": []}', content_type=kind)

    assert get_error(response)[0] == 415


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff", b'{"operations": [' * 9000, b"[" * 90_000, b'{"a": NaN,}', "{}".encode("utf-16")],
)
def test_invalid_json_is_refused(phone: Client, body: bytes) -> None:
    response = phone.post(reverse("api:operations"), body, content_type="application/json")

    assert get_error(response) == (400, "unreadable")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{}",
        "7",
        "null",
        '{"operations": null}',
        '{"operations": {}}',
        '{"operations": [], "more": 1}',
        '"[]"',
    ],
)
def test_json_that_is_not_a_batch_is_refused(phone: Client, body: str) -> None:
    response = phone.post(reverse("api:operations"), body, content_type="application/json")

    assert get_error(response) == (422, "no_batch")


def test_more_than_five_hundred_are_refused_with_the_count(phone: Client) -> None:
    response = post(phone, {"operations": [{"id": str(uuid4())}] * 501})

    assert get_error(response) == (422, "no_batch")
    assert "501" in response.json()["error"]["message"]


def test_more_than_two_megabytes_are_refused(phone: Client) -> None:
    assert get_error(post(phone, {"operations": ["x" * 2_000_000]})) == (413, "too_large")


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_other_methods_are_refused(phone: Client, method: str) -> None:
    response = getattr(phone, method)(reverse("api:operations"))

    assert get_error(response)[0] == 405
