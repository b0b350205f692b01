"""Responses at the URLs of streams, for servers that have none. Under ASGI, `live.stream_middleware` serves them."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.audience.leaderboard_presenter import get_class_board_presenter
from scorekeeper.events.selectors import get_open_contest, get_open_event


def leaderboard_stream(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Answer that there is no stream (204), so that the page polls instead; a WSGI server has no streams.

    Under ASGI, `live.stream_middleware` serves the streams, and only the requests that it passes on come here.
    """
    if get_open_contest(slug, contest_slug) is None:
        raise Http404
    return HttpResponse(status=204)


def class_board_stream(request: HttpRequest, slug: str, contest_slug: str, class_id: UUID) -> HttpResponse:
    """Answer that there is no stream for the board of a class, as `leaderboard_stream` does."""
    contest = get_open_contest(slug, contest_slug)
    if contest is None or get_class_board_presenter(contest, class_id) is None:
        raise Http404
    return HttpResponse(status=204)


def event_stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer that there is no stream for an event's page or screen, as `leaderboard_stream` does."""
    if get_open_event(slug) is None:
        raise Http404
    return HttpResponse(status=204)


def changes_stream(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Answer that there is no stream for the phones of a ride, as `leaderboard_stream` does.

    The guard has found the event.
    """
    return HttpResponse(status=204)
