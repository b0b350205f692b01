"""Keeps search engines away from what is not listed: everything of events that only their links lead to, and drafts.

Pages and files for other roles than everyone are kept out as well. Of events, only listed and open ones may be found.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch

from scorekeeper.events.selectors import is_listed_event
from scorekeeper.rights import ROUTES, Role

ROBOTS_HEADER, NOINDEX = "X-Robots-Tag", "noindex"


class NoIndexMiddleware:
    """Adds the header for search engines."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        # No search engine sends the header of htmx, with which open pages refresh their parts.
        is_visit = match is not None and response.status_code < 400 and "HX-Request" not in request.headers
        if is_visit and match is not None and not _is_findable(match):
            response.headers.setdefault(ROBOTS_HEADER, NOINDEX)
        return response


def _is_findable(match: ResolverMatch) -> bool:
    """Return whether a page is for everyone, and of a listed event or of none."""
    if set(ROUTES.get(match.view_name, {}).values()) != {Role.ANYBODY}:
        return False
    return "slug" not in match.kwargs or is_listed_event(match.kwargs["slug"])
