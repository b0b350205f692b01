"""Switching a crew phone between a ride and its practice.

- Both devices stay valid. The phone keeps the tokens of both, so switching needs no new link, and no organiser.
- A phone enters the practice as the member who mirrors its own. It returns to the ride only as the device that it was.
- If the practice was deleted, the way back to the ride stays.
"""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from scorekeeper.crew.access import SignedInDevice, get_signed_in_devices, set_device_cookies
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.selectors import get_counterpart
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.views.joining import HOME_URL, READY_URL

CONFLICT = 409


def switch(request: HttpRequest) -> HttpResponse:
    """Say where the phone can switch to; the button does it."""
    current, other = get_signed_in_devices(request)
    if current is None and other is None:
        return redirect(HOME_URL)  # which says how to sign in
    counterpart = _find_counterpart(current, other)
    if request.method == "POST" and counterpart is not None:
        response = redirect(READY_URL)
        set_device_cookies(response, _get_or_create_device(counterpart, other), current)
        return response
    context = {
        "event": current.device.member.group.event if current is not None else None,
        "member": current.device.member if current is not None else None,
        "target": counterpart,
        "target_event": None if counterpart is None else counterpart.group.event,
    }
    return render(request, "crew/switch.html", context, status=CONFLICT if request.method == "POST" else 200)


def _find_counterpart(current: SignedInDevice | None, other: SignedInDevice | None) -> CrewMember | None:
    """Return as whom the phone would go on after switching; None if it cannot switch."""
    if current is None:
        return None if other is None else other.device.member
    if not current.device.member.group.event.is_practice:
        return get_counterpart(current.device.member)
    # Only as the device that it was: being in a practice gives nobody a place in the ride's crew.
    if other is None:
        return None
    member = other.device.member
    return member if member.group.event_id == current.device.member.group.event.practice_of_id else None


@transaction.atomic
def _get_or_create_device(member: CrewMember, other: SignedInDevice | None) -> SignedInDevice:
    if other is not None and other.device.member_id == member.pk:
        return other
    return SignedInDevice(*create_device(member))
