"""Tokens that do not work, on every route of the API that reads one: each is refused, and with the reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.crew.models import Device, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import AccessToken
from scorekeeper.rights import ROUTES, Role
from tests.scorekeeper.api.program import add_token, check_response, make_program
from tests.scorekeeper.rights.every_response import READ_BY_TOKEN
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = pytest.mark.django_db
READ = sorted(READ_BY_TOKEN)
OF_PHONES = ("api:crew_scorecard", "api:key", "api:ride_progress", "api:sheets", "offline:ride_parts")
RECORDS = ("api:operations", "api:messages_read", "api:carried", "api:key")


@pytest.fixture
def ride() -> SmallRide:
    return make_small_ride("Quokka")


def ask(ride: SmallRide, route: str, secret: str) -> tuple[int, str]:
    """Return the status and the code of the answer to a program with this token, which must be as described."""
    response: Any = Client().get(ride.get_url(route), headers={"Authorization": f"Bearer {secret}"})
    check_response(response)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert not ride.is_in(response.content)
    return response.status_code, response.json()["code"]


@pytest.mark.slow
def test_a_token_that_does_not_work_is_refused_everywhere(ride: SmallRide) -> None:
    expired, revoked = add_token(ride.user), add_token(ride.user, "record")
    rows = AccessToken.objects.filter
    rows(scope="read").update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    rows(scope="record").update(revoked_at=timezone.now())

    device = create_device(ride.captain)[1]

    assert READ
    for route in READ:
        assert ask(ride, route, expired) == (401, "token_expired"), route
        assert ask(ride, route, revoked) == (401, "token_revoked"), route
        assert ask(ride, route, f"{expired}x") == (401, "token_unknown"), route
        assert ask(ride, route, f"{device}x") == (401, "token_unknown"), route


def test_a_token_of_somebody_else_finds_no_event(ride: SmallRide) -> None:
    foreign = make_small_ride("Numbat")
    read, record = (add_token(foreign.user, scope) for scope in ("read", "record"))
    public = add_token(ride.user, "public")

    for route in READ:
        if route == "api:events":
            continue
        assert ask(ride, route, read) == (404, "event_not_found"), route
        assert ask(ride, route, record) == (404, "event_not_found"), route
        if ROUTES[route]["GET"] is not Role.ANYBODY:
            assert ask(ride, route, public) == (403, "scope_too_small"), route


def test_an_organisers_token_is_no_device(ride: SmallRide) -> None:
    for scope in ("public", "read", "record"):
        program = make_program(ride.user, scope)
        for route in OF_PHONES:
            assert program.get(ride.get_url(route)).status_code == 401, route
        for route in RECORDS:
            response = program.post(reverse(route), {"operations": []}, content_type="application/json")
            assert response.status_code == 401, route


@pytest.mark.parametrize("values", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now()}])
def test_a_device_that_does_not_work_reads_and_records_nothing(ride: SmallRide, values: dict[str, Any]) -> None:
    """It may still relay what other phones have signed, which test_relayed.py is about."""
    device, token = create_device(ride.captain)
    app = Client(headers={"Authorization": f"Bearer {token}"})
    assert [app.get(ride.get_url(route)).status_code for route in OF_PHONES] == [200] * 5
    Device.objects.filter(pk=device.pk).update(**values)

    assert [app.get(ride.get_url(route)).status_code for route in OF_PHONES] == [401] * 5
    for route in set(RECORDS) - {"api:carried"}:
        assert app.post(reverse(route), {"operations": []}, content_type="application/json").status_code == 401


def test_a_device_of_another_event_finds_no_scorecard_of_this_one(ride: SmallRide) -> None:
    app = Client(headers={"Authorization": f"Bearer {create_device(make_small_ride('Numbat').captain)[1]}"})

    response: Any = app.get(ride.get_url("api:crew_scorecard"))

    assert (response.status_code, response.json()["code"]) == (404, "scorecard_not_found")


def test_an_invitation_that_has_expired_makes_no_device(ride: SmallRide) -> None:
    invitation, token = create_invitation(ride.gunner)
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())
    before = Device.objects.count()

    response: Any = Client().post(reverse("api:devices"), {"invitation": token}, content_type="application/json")

    check_response(response)
    assert (response.status_code, response.json()["code"]) == (410, "invitation_unusable")
    assert Device.objects.count() == before
