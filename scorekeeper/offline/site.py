"""The phone's own part of its site: what stands in for sessions, and the pages that say what it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.access import AccessMiddleware, View

NEEDS_SIGNAL, FAULT = 503, 500

# What a session would remember: the stop and the dice set that this phone is at, and messages for the next page.
_remembered: dict[str, Any] = {}


def remember(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give requests what a session would: one memory, for the phone is one person's."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.session = _remembered  # type: ignore[assignment]
        return get_response(request)

    return answer


def tell_that_it_is_a_phone(_request: HttpRequest) -> dict[str, bool]:
    """Let templates say what only a phone has to say."""
    return {"is_on_phone": True}


def needs_signal(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Say that this page needs the server."""
    return render(request, "offline/needs_signal.html", {"is_sent": request.method == "POST"}, status=NEEDS_SIGNAL)


class PhoneAccess(AccessMiddleware):
    """Holds what a phone answers itself to the server's table; anybody may be told that a page needs the server."""

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the refusal; None for whoever may come in."""
        return None if view is needs_signal else super().process_view(request, view, args, kwargs)


def nothing_here(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Say that there is nothing at this address: what a phone does not know may be newer than what it has."""
    return render(request, "offline/unknown.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that something failed."""
    return render(request, "offline/fault.html", status=FAULT)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """Answer a view that found nothing."""
    return nothing_here(request)
