"""The logos of sponsors, which public pages show."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from scorekeeper.common.pictures import is_presentable
from scorekeeper.common.public_files import send_public_file
from scorekeeper.events.selectors import get_open_event
from scorekeeper.prizes.models import PrizeLogo

ONE_YEAR = 365 * 24 * 3600  # seconds
CACHE_CONTROL = f"public, max-age={ONE_YEAR}, immutable"


def show_logo(request: HttpRequest, slug: str, logo_id: UUID) -> HttpResponseBase:
    """Send a logo of an open event. Its content never changes, so browsers may keep it.

    One that is no longer accepted is not found: it could be more than the browser of a phone can take. Reads are not
    limited: a page has several, and a whole ride may be behind one address.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    logo = get_object_or_404(PrizeLogo.objects.defer("content"), event=event, pk=logo_id)

    def read() -> tuple[str, list[bytes]]:
        content = bytes(logo.content)
        if not is_presentable(content, logo.media_type):
            raise Http404
        return "", [content]

    return send_public_file(request, logo.pk, read, logo.media_type, CACHE_CONTROL)
