"""The logos of sponsors, which public pages show."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from scorekeeper.common.pictures import is_presentable
from scorekeeper.events.selectors import get_open_event
from scorekeeper.prizes.models import PrizeLogo

ONE_YEAR = 365 * 24 * 3600  # seconds


def show_logo(request: HttpRequest, slug: str, logo_id: UUID) -> HttpResponse:
    """Send a logo of an open event. Its content never changes, so browsers may keep it.

    One that is no longer accepted is not found: it could be more than the browser of a phone can take.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    logo = get_object_or_404(PrizeLogo, event=event, pk=logo_id)
    content = bytes(logo.content)
    if not is_presentable(content, logo.media_type):
        raise Http404
    headers = {"Cache-Control": f"public, max-age={ONE_YEAR}, immutable"}
    return HttpResponse(content, content_type=logo.media_type, headers=headers)
