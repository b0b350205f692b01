"""The logos of sponsors, which public pages show."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from scorekeeper.events.selectors import get_open_event
from scorekeeper.prizes.models import PrizeLogo

ONE_YEAR = 365 * 24 * 3600  # seconds


def show_logo(request: HttpRequest, slug: str, logo_id: UUID) -> HttpResponse:
    """Send a logo of an open event. Its content never changes, so browsers may keep it."""
    event = get_open_event(slug)
    if event is None:
        raise Http404
    logo = get_object_or_404(PrizeLogo, event=event, pk=logo_id)
    headers = {"Cache-Control": f"public, max-age={ONE_YEAR}, immutable"}
    return HttpResponse(bytes(logo.content), content_type=logo.media_type, headers=headers)
