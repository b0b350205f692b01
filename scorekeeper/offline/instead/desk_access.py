"""Instead of `scorekeeper.events.access`: no address on a phone leads to the organisers' pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse


class OrganiserRequest(HttpRequest):
    """A request of somebody who runs the event it is about; a phone never has one."""


def organiser_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuse whatever comes."""

    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponse(status=403)

    return guarded
