"""Who may open the crew's pages: a phone with the cookie of a device that is neither expired nor revoked.

`admit_crew` is the guard of the role; `crew_required` hands views what it found.

Terms: the cookie holds the device's token. It is out of reach for scripts, and for other sites' forms. Beside it stands
one with the device's id, by which the phone's scripts know without signal whose phone it is; it opens nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.access_control import get_guard_result
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_device_by_token
from scorekeeper.crew.services.devices import DEVICE_LIFETIME, record_last_seen

DEVICE_COOKIE = "tailgunner_device"
DEVICE_ID_COOKIE = "tailgunner_phone"
COOKIE_LIFETIME = DEVICE_LIFETIME + dt.timedelta(
    days=60
)  # so that a phone that has expired can still hand over what it holds

P = ParamSpec("P")


class CrewRequest(HttpRequest):
    """A request of a crew member's phone."""

    device: Device


def get_device(request: HttpRequest) -> Device | None:
    """Return the device of the request, with its member, group and event, or None; one query."""
    device = get_known_device(request)
    return device if device is not None and device.is_valid() else None


def get_known_device(request: HttpRequest) -> Device | None:
    """Return the same, also where the device has been revoked or has expired."""
    token = request.COOKIES.get(get_cookie_name(DEVICE_COOKIE), "")
    return get_device_by_token(token) if token else None


def admit_crew(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a phone of the crew, as `request.device`; others are told how to come back (401)."""
    return _admit(request, get_device(request))


def admit_road_captain(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a road captain's phone as `admit_crew` does; the others of the crew are told whom to ask (403)."""
    refusal = admit_crew(request, kwargs)
    if refusal is None and not get_guard_result(request, "device").member.can_take_over:
        return render(request, "crew/not_road_captain.html", status=403)
    return refusal


def admit_former_crew(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a phone of the crew as `admit_crew` does, and also one that has expired or was revoked."""
    return _admit(request, get_known_device(request))


def _admit(request: HttpRequest, device: Device | None) -> HttpResponse | None:
    if device is None:
        return render(request, "crew/not_signed_in.html", status=401)
    if device.is_valid():
        record_last_seen(device)
    request.device = device  # type: ignore[attr-defined]
    return None


def crew_required(
    view: Callable[Concatenate[CrewRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make sure that a view of crew phones has its `request.device`."""

    @wraps(view)
    def with_device(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        get_guard_result(request, "device")
        return view(request, *args, **kwargs)  # type: ignore[arg-type]

    return with_device


def set_device_cookies(response: HttpResponse, device: Device, token: str) -> None:
    """Make the phone that gets the response the device, whose token this is."""
    for name, value, is_secret in ((DEVICE_COOKIE, token, True), (DEVICE_ID_COOKIE, str(device.pk), False)):
        response.set_cookie(
            get_cookie_name(name),
            value,
            max_age=COOKIE_LIFETIME,
            httponly=is_secret,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def delete_device_cookies(response: HttpResponse) -> None:
    """Let the phone forget that it was a device."""
    for name in (DEVICE_COOKIE, DEVICE_ID_COOKIE):
        response.delete_cookie(get_cookie_name(name), samesite="Lax")
