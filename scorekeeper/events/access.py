"""The decorator of the organisers' views: it passes on the event that `scorekeeper.events.guards` has checked."""

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
    """A request from an organiser of the event that its URL names."""

    user: User
    organiser: Organiser
    htmx: HtmxDetails


def organiser_required(
    view: Callable[Concatenate[OrganiserRequest, Event, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Pass the event that the URL names to an organisers' view, which also has `request.organiser`."""

    @wraps(view)
    def with_event(request: HttpRequest, /, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        organiser: Organiser = get_guard_result(request, "organiser")
        return view(request, organiser.event, *args, **kwargs)  # type: ignore[arg-type]

    return with_event
