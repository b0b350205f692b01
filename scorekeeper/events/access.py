"""Who may open an event's organiser pages: the people who run it.

Invariant: to everybody else the event is not there (404), so its address tells nothing. Whoever is not signed in is
asked to sign in first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django_htmx.middleware import HtmxDetails

from scorekeeper.events.models import Event, Organiser
from scorekeeper.events.selectors import get_organiser

P = ParamSpec("P")


class OrganiserRequest(HttpRequest):
    """A request of somebody who runs the event it is about."""

    user: User
    organiser: Organiser
    htmx: HtmxDetails


def organiser_required(
    view: Callable[Concatenate[OrganiserRequest, Event, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Give a view its event, looked up by `slug`, and `request.organiser`; only to the organisers of that event.

    Raises:
        Http404: there is no such event, or the person does not run it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        organiser = get_organiser(request.user, slug)
        if organiser is None:
            raise Http404
        request.organiser = organiser  # type: ignore[attr-defined]
        response = view(request, organiser.event, *args, **kwargs)  # type: ignore[arg-type]
        add_never_cache_headers(response)
        return response

    return guarded
