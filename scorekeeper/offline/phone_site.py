"""The phone's own part of its site: what stands in for sessions, and the pages that say what it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.access_control import AccessMiddleware, View

NEEDS_SIGNAL, SERVER_ERROR = 503, 500

# What a session would remember: the stop and the dice set that this phone is at, and messages for the next page.
_session: dict[str, Any] = {}


def session_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give requests what a session would: one memory, for the phone is one person's."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.session = _session  # type: ignore[assignment]
        return get_response(request)

    return answer


def phone_context(_request: HttpRequest) -> dict[str, bool]:
    """Let templates say what only a phone has to say."""
    return {"is_on_phone": True}


def needs_signal(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Say that this page needs the server."""
    return render(request, "offline/needs_signal.html", {"is_sent": request.method == "POST"}, status=NEEDS_SIGNAL)


class PhoneAccessMiddleware(AccessMiddleware):
    """Holds what a phone answers itself to the server's table; anybody may be told that a page needs the server."""

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the refusal; None for whoever may come in."""
        return None if view is needs_signal else super().process_view(request, view, args, kwargs)


def unknown_page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Say that there is nothing at this address: what a phone does not know may be newer than what it has."""
    return render(request, "offline/unknown.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that something failed."""
    return render(request, "offline/server_error.html", status=SERVER_ERROR)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """Answer a view that found nothing."""
    return unknown_page(request)
