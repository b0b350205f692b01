"""Tells everyone who follows an old link of a deleted event that it was deleted (410), to public or organisers' pages.

An organisers' page says no more than the public page of the same event, and asks for signing in first.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scorekeeper.common.problem_details import is_for_program, respond_problem
from scorekeeper.events.selectors import get_deleted_event
from scorekeeper.rights import ROUTES, Role

NOT_FOUND, GONE = 404, 410


class DeletedEventMiddleware:
    """Replaces "not found" by "deleted" where the address of a page names a deleted event."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != NOT_FOUND or match is None or "slug" not in match.kwargs:
            return response
        roles = set(ROUTES.get(match.view_name, {}).values())
        if not roles & {Role.ANYBODY, Role.ORGANISER}:
            return response
        deleted = get_deleted_event(match.kwargs["slug"])
        if deleted is None:
            return response
        if is_for_program(request):
            return respond_problem(GONE, "event_deleted", _("This event was deleted by its organiser."))
        context = {"deleted": deleted, "is_for_organisers": Role.ORGANISER in roles}
        return render(request, "events/deleted.html", context, status=GONE)
