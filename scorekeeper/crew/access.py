"""Access to the crew's pages: it needs the cookie of a device that is neither expired nor revoked.

`admit_crew` is the guard of the role. `crew_required` makes sure that views have the device it found.

Terms: the cookie has the device's token. Scripts and other sites' forms cannot use it. A second cookie has the device's
id, so that the phone's scripts know whose phone it is without signal; it gives access to nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.access_control import get_guard_result
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_device_by_token, get_former_device
from scorekeeper.crew.services.devices import DEVICE_LIFETIME, record_last_seen

DEVICE_COOKIE = "tailgunner_device"
DEVICE_ID_COOKIE = "tailgunner_phone"
GONE = 410  # the phone's event was deleted
# Longer than the device, so that an expired phone can still send its entries.
COOKIE_LIFETIME = DEVICE_LIFETIME + dt.timedelta(days=60)

EVENT_DELETED = _(
    "This ride was deleted by its organiser, so nothing was recorded. Entries that were not sent are kept on the phone."
)

P = ParamSpec("P")


class CrewRequest(HttpRequest):
    """A request from a crew member's phone."""

    device: Device


def get_device(request: HttpRequest) -> Device | None:
    """Return the device of the request if it is valid, with its member, group and event; one query."""
    device = get_known_device(request)
    return device if device is not None and device.is_valid() else None


def get_known_device(request: HttpRequest) -> Device | None:
    """Return the device of the request, even if it has been revoked or has expired."""
    token = request.COOKIES.get(get_cookie_name(DEVICE_COOKIE), "")
    return get_device_by_token(token) if token else None


def admit_crew(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a crew phone and set `request.device`. Other phones get a page on how to sign in (401)."""
    return _admit(request, get_device(request))


def admit_road_captain(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a road captain's phone as `admit_crew` does. Other crew phones get a page on whom to ask (403)."""
    refusal = admit_crew(request, kwargs)
    if refusal is None and not get_guard_result(request, "device").member.can_take_over:
        return render(request, "crew/not_road_captain.html", status=403)
    return refusal


def admit_former_crew(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a crew phone as `admit_crew` does, even if it has expired or was revoked."""
    return _admit(request, get_known_device(request))


def _admit(request: HttpRequest, device: Device | None) -> HttpResponse | None:
    if device is None:
        return _refuse_unknown(request)
    if device.is_valid():
        record_last_seen(device)
    request.device = device  # type: ignore[attr-defined]
    return None


def _refuse_unknown(request: HttpRequest) -> HttpResponse:
    """Ask the phone to sign in; a phone of an event that was deleted is told so, and `request.deleted_event` is set."""
    token = request.COOKIES.get(get_cookie_name(DEVICE_COOKIE), "")
    former = get_former_device(token) if token else None
    if former is None:
        return render(request, "crew/not_signed_in.html", status=401)
    request.deleted_event = former.event  # type: ignore[attr-defined]
    return render(request, "crew/event_deleted.html", {"deleted": former.event}, status=GONE)


def crew_required(
    view: Callable[Concatenate[CrewRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make sure that a crew view has `request.device`."""

    @wraps(view)
    def with_device(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        get_guard_result(request, "device")
        return view(request, *args, **kwargs)  # type: ignore[arg-type]

    return with_device


def set_device_cookies(response: HttpResponse, device: Device, token: str) -> None:
    """Make the phone that gets this response the device with this token."""
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
    """Delete the device's cookies from the phone."""
    for name in (DEVICE_COOKIE, DEVICE_ID_COOKIE):
        response.delete_cookie(get_cookie_name(name), samesite="Lax")
