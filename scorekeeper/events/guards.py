"""Guards that check whether the user is signed in, and whether they organise the event that the URL names.

Invariants:
- For everyone but its organisers an event does not exist (404), so its URL reveals nothing.
- A user who is not signed in is asked to sign in first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.common.stale_forms import ask_to_sign_in
from scorekeeper.events.selectors import get_organiser
from scorekeeper.events.services.sessions import record_session_use


def admit_signed_in(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in anyone who is signed in."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    record_use(request)
    return None


def admit_organiser(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in an organiser of the event and set `request.organiser`.

    Raises:
        Http404: there is no such event, or the user does not organise it.
    """
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    record_use(request)
    organiser = get_organiser(request.user, kwargs["slug"])
    if organiser is None:
        raise Http404
    request.organiser = organiser  # type: ignore[attr-defined]
    return None


def record_use(request: HttpRequest) -> None:
    """Store that the session of a request was used, for the list on the page of the account."""
    assert isinstance(request.user, User), "signed in"
    record_session_use(request.user, request.session.session_key, request.headers.get("User-Agent", ""))
