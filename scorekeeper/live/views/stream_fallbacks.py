"""What stands at the address of a stream where there is none to be served."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_contest, get_open_event


def leaderboard_stream(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Say that there is no stream (204), so that the page asks for itself; a WSGI server has none.

    Under ASGI streams are served by `live.stream_middleware`, and what comes here is what it does not serve.
    """
    if get_open_contest(slug, contest_slug) is None:
        raise Http404
    return HttpResponse(status=204)


def event_stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that there is no stream for the page of an event or its screen, as for a board."""
    if get_open_event(slug) is None:
        raise Http404
    return HttpResponse(status=204)


def changes_stream(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Say that there is no stream for the phones of a ride, as for a board."""
    if not Event.objects.filter(pk=event_id).exists():
        raise Http404
    return HttpResponse(status=204)
