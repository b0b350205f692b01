"""Tells visitors of a deleted event's public pages that it was deleted (410), whatever link they follow.

Organisers' pages answer 404, as for every event that the caller does not organise.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.events.selectors import get_deleted_event
from scorekeeper.rights import ROUTES, Role

NOT_FOUND, GONE = 404, 410


class DeletedEventMiddleware:
    """Replaces "not found" by "deleted" where the address of a public page names a deleted event."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != NOT_FOUND or match is None or "slug" not in match.kwargs:
            return response
        if ROUTES.get(match.view_name, {}).get("GET") is not Role.ANYBODY:
            return response
        deleted = get_deleted_event(match.kwargs["slug"])
        if deleted is None:
            return response
        return render(request, "events/deleted.html", {"deleted": deleted}, status=GONE)
