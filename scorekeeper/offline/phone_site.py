"""The phone's own middleware and views: a replacement for sessions, and the pages for what a phone cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.access_control import AccessMiddleware, View

NEEDS_SIGNAL, SERVER_ERROR = 503, 500

# The session data: this phone's stop and dice set, how it enters dice, and messages for the next page.
_session: dict[str, Any] = {}
DEVICE_KEY = "device"  # whose data they are


def start_session(device: str) -> None:
    """Begin anew if the session is of another device: of another person, or of the practice."""
    if _session.get(DEVICE_KEY) != device:
        _session.clear()
        _session[DEVICE_KEY] = device


def session_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give all requests the same session, because a phone has one user."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.session = _session  # type: ignore[assignment]
        return get_response(request)

    return middleware


def phone_context(_request: HttpRequest) -> dict[str, bool]:
    """Tell templates that they are rendered on a phone."""
    return {"is_on_phone": True}


def needs_signal(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Show that this page needs the server."""
    return render(request, "offline/needs_signal.html", {"is_sent": request.method == "POST"}, status=NEEDS_SIGNAL)


class PhoneAccessMiddleware(AccessMiddleware):
    """Checks access as on the server, except for the page that says that the server is needed."""

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the refusal, or None if access is allowed."""
        return None if view is needs_signal else super().process_view(request, view, args, kwargs)


def unknown_page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Show that the phone does not have this page. The page may be newer than the phone's copy of the ride."""
    return render(request, "offline/unknown.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Show that something failed."""
    return render(request, "offline/server_error.html", status=SERVER_ERROR)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """Handle `Http404` from a view."""
    return unknown_page(request)
