"""Guards that check whether the user is signed in, and whether they organise the event that the URL names.

Invariants:
- For everyone but its organisers an event does not exist (404), so its URL reveals nothing.
- A user who is not signed in is asked to sign in first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.events.selectors import get_organiser


def admit_signed_in(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in anyone who is signed in."""
    return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())


def admit_organiser(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in an organiser of the event and set `request.organiser`.

    Raises:
        Http404: there is no such event, or the user does not organise it.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    organiser = get_organiser(request.user, kwargs["slug"])
    if organiser is None:
        raise Http404
    request.organiser = organiser  # type: ignore[attr-defined]
    return None
