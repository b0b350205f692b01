"""What views of organisers are given: their event, which `scorekeeper.events.guards` has found to be theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse

from scorekeeper.common.access_control import get_guard_result
from scorekeeper.events.models import Event, Organiser

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django_htmx.middleware import HtmxDetails

P = ParamSpec("P")


class OrganiserRequest(HttpRequest):
    """A request of somebody who runs the event it is about."""

    user: User
    organiser: Organiser
    htmx: HtmxDetails


def organiser_required(
    view: Callable[Concatenate[OrganiserRequest, Event, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Give a view of organisers the event of its address, and `request.organiser`."""

    @wraps(view)
    def with_event(request: HttpRequest, /, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        organiser: Organiser = get_guard_result(request, "organiser")
        return view(request, organiser.event, *args, **kwargs)  # type: ignore[arg-type]

    return with_event
