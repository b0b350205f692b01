"""Whether whoever asks has an account, and whether they run the event that the address names.

Invariant: to everybody else the event is not there (404), so its address tells nothing. Whoever is not signed in is
asked to sign in first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.events.selectors import get_organiser


def admit_signed_in(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in whoever has an account."""
    return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())


def admit_organiser(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in whoever runs the event, as `request.organiser`.

    Raises:
        Http404: there is no such event, or the person does not run it.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    organiser = get_organiser(request.user, kwargs["slug"])
    if organiser is None:
        raise Http404
    request.organiser = organiser  # type: ignore[attr-defined]
    return None
