"""Who may open the crew's pages: a phone with the cookie of a device that is neither expired nor revoked.

Terms: the cookie holds the device's token. It is out of reach for scripts, and for other sites' forms. Beside it stands
one with the device's id, by which the phone's scripts know without signal whose phone it is; it opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_device_by_token
from scorekeeper.crew.services.devices import LIFETIME, note_seen

COOKIE = "tailgunner_device"
WHICH = "tailgunner_phone"

P = ParamSpec("P")


class CrewRequest(HttpRequest):
    """A request of a crew member's phone."""

    device: Device


def get_device(request: HttpRequest) -> Device | None:
    """Return the device of the request, with its member, group and event, or None; one query."""
    token = request.COOKIES.get(COOKIE, "")
    device = get_device_by_token(token) if token else None
    return device if device is not None and device.is_valid() else None


def crew_required(
    view: Callable[Concatenate[CrewRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let a view be reached by crew phones only; it gets `request.device`. Others are told how to come back (401)."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        device = get_device(request)
        if device is None:
            response = render(request, "crew/not_signed_in.html", status=401)
        else:
            note_seen(device)
            request.device = device  # type: ignore[attr-defined]
            response = view(request, *args, **kwargs)  # type: ignore[arg-type]
        patch_vary_headers(response, ["Cookie"])
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return guarded


def set_cookie(response: HttpResponse, device: Device, token: str) -> None:
    """Make the phone that gets the response the device, whose token this is."""
    for name, value, is_secret in ((COOKIE, token, True), (WHICH, str(device.pk), False)):
        response.set_cookie(
            name,
            value,
            max_age=LIFETIME,
            httponly=is_secret,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def delete_cookie(response: HttpResponse) -> None:
    """Let the phone forget that it was a device."""
    for name in (COOKIE, WHICH):
        response.delete_cookie(name, samesite="Lax")
