"""The guard of what the phones of one ride and its organisers share: the stream of its changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.crew.access import get_signed_in_devices, refuse_unknown
from scorekeeper.crew.services.devices import record_last_seen
from scorekeeper.events.guards import record_use
from scorekeeper.events.selectors import is_organiser


def admit_ride(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in the phones of the crew of the event whose id the URL has, and its organisers.

    Raises:
        Http404: the phone or the account belongs to another event, so this one does not exist for it.
    """
    devices = [found.device for found in get_signed_in_devices(request) if found is not None]
    for device in devices:
        if device.member.group.event_id == kwargs["event_id"]:
            record_last_seen(device)
            return None
    if request.user.is_authenticated:
        record_use(request)
        if is_organiser(request.user, kwargs["event_id"]):
            return None
    elif not devices:
        return refuse_unknown(request)
    raise Http404
