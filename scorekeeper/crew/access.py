"""Access to the crew's pages: it needs the cookie of a device that is neither expired nor revoked.

`admit_crew` is the guard of the role. `crew_required` makes sure that views have the device it found.

Terms:
- The cookie has the device's token. Scripts and other sites' forms cannot use it. A second cookie has the device's
  id, so that the phone's scripts know whose phone it is without signal; it gives access to nothing. An app that is no
  browser has no cookies, and sends the token to the API itself (`Authorization: Bearer`).
- A phone that switches between a ride and its practice is a device of each. Its *current* device is the one that pages
  are for; its *other* device waits in a pair of cookies of its own. A script that sends entries names the device that
  they are from (`DEVICE_HEADER`), and the phone must have its token.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.access_control import get_guard_result
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.common.problem_details import is_for_program
from scorekeeper.common.request_data import read_bearer_token
from scorekeeper.common.unsent_input import read_unsent_input
from scorekeeper.crew.crew_links import CrewLinkForm
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_device_by_token, get_former_device
from scorekeeper.crew.services.devices import DEVICE_LIFETIME, record_last_seen

DEVICE_COOKIE = "tailgunner_device"
DEVICE_ID_COOKIE = "tailgunner_phone"
OTHER_DEVICE_COOKIE = "tailgunner_other_device"
OTHER_DEVICE_ID_COOKIE = "tailgunner_other_phone"
DEVICE_HEADER = "X-Tailgunner-Device"
GONE = 410  # the phone's event was deleted
# Longer than the device, so that an expired phone can still send its entries.
COOKIE_LIFETIME = DEVICE_LIFETIME + dt.timedelta(days=60)

EVENT_DELETED = _(
    "This event was deleted by its organiser, so nothing was recorded. Entries that were not sent are kept on the "
    "phone."
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
    """Return the device of the request, even if it has been revoked or has expired.

    It is the phone's current device, or whichever of its two devices the request names.
    """
    named = request.headers.get(DEVICE_HEADER)
    current = _find_device(request, DEVICE_COOKIE)
    if named is None or (current is not None and str(current.pk) == named):
        return current
    other = _find_device(request, OTHER_DEVICE_COOKIE)
    return other if other is not None and str(other.pk) == named else None


class SignedInDevice(NamedTuple):
    """A device whose token the phone has."""

    device: Device
    token: str


def get_signed_in_devices(request: HttpRequest) -> tuple[SignedInDevice | None, SignedInDevice | None]:
    """Return the phone's current device and its other one, each only if it is valid."""
    found = []
    for cookie in (DEVICE_COOKIE, OTHER_DEVICE_COOKIE):
        device = _find_device(request, cookie)
        is_valid = device is not None and device.is_valid()
        found.append(SignedInDevice(device, _read_token(request, cookie)) if device is not None and is_valid else None)
    return found[0], found[1]


def _find_device(request: HttpRequest, cookie: str) -> Device | None:
    token = _read_token(request, cookie)
    return get_device_by_token(token) if token else None


def _read_token(request: HttpRequest, cookie: str) -> str:
    """Return the token of the phone's current or other device. An app without cookies is one device, and sends it."""
    sent = read_bearer_token(request) if is_for_program(request) else None
    if sent is not None:
        return sent if cookie == DEVICE_COOKIE else ""
    return request.COOKIES.get(get_cookie_name(cookie), "")


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
        return refuse_unknown(request)
    if device.is_valid():
        record_last_seen(device)
    request.device = device  # type: ignore[attr-defined]
    return None


def refuse_unknown(request: HttpRequest) -> HttpResponse:
    """Ask the phone to sign in; a phone of an event that was deleted is told so, and `request.deleted_event` is set."""
    is_named = DEVICE_HEADER in request.headers
    tokens = [_read_token(request, cookie) for cookie in (DEVICE_COOKIE, *([OTHER_DEVICE_COOKIE] if is_named else []))]
    former = next((found for token in tokens if token and (found := get_former_device(token)) is not None), None)
    if former is None:
        unsent = read_unsent_input(request) if request.method == "POST" else None
        return render(request, "crew/not_signed_in.html", {"unsent": unsent, "form": CrewLinkForm()}, status=401)
    request.deleted_event = former.event  # type: ignore[attr-defined]
    _current, other = get_signed_in_devices(request)
    context = {"deleted": former.event, "can_switch": other is not None, "form": CrewLinkForm()}
    return render(request, "crew/event_deleted.html", context, status=GONE)


def crew_required(
    view: Callable[Concatenate[CrewRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make sure that a crew view has `request.device`."""

    @wraps(view)
    def with_device(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        get_guard_result(request, "device")
        return view(request, *args, **kwargs)  # type: ignore[arg-type]

    return with_device


def set_device_cookies(response: HttpResponse, current: SignedInDevice, other: SignedInDevice | None = None) -> None:
    """Make the phone that gets this response these devices. Without another device it forgets the one it had."""
    _set_pair(response, current, DEVICE_COOKIE, DEVICE_ID_COOKIE)
    if other is not None:
        _set_pair(response, other, OTHER_DEVICE_COOKIE, OTHER_DEVICE_ID_COOKIE)
    else:
        _delete_pair(response, OTHER_DEVICE_COOKIE, OTHER_DEVICE_ID_COOKIE)


def delete_device_cookies(response: HttpResponse) -> None:
    """Delete the cookies of all its devices from the phone."""
    _delete_pair(response, DEVICE_COOKIE, DEVICE_ID_COOKIE)
    _delete_pair(response, OTHER_DEVICE_COOKIE, OTHER_DEVICE_ID_COOKIE)


def _set_pair(response: HttpResponse, signed_in: SignedInDevice, token_cookie: str, id_cookie: str) -> None:
    pairs = ((token_cookie, signed_in.token, True), (id_cookie, str(signed_in.device.pk), False))
    for name, value, is_secret in pairs:
        response.set_cookie(
            get_cookie_name(name),
            value,
            max_age=COOKIE_LIFETIME,
            httponly=is_secret,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def _delete_pair(response: HttpResponse, *names: str) -> None:
    for name in names:
        response.delete_cookie(get_cookie_name(name), samesite="Lax")
