"""The front page and the page of an event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scorekeeper.events.selectors import list_contests, list_listed_events
from scorekeeper.results.addresses import get_public_event


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the rides that want to be found."""
    return render(request, "results/home.html", {"events": list_listed_events()})


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """List what is played at an event."""
    found = get_public_event(slug)
    return render(request, "results/event.html", {"event": found, "contests": list_contests(found)})
