"""The front page and the page of an event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scorekeeper.events.selectors import list_listed_events
from scorekeeper.results.addresses import get_public_event
from scorekeeper.results.views.refreshing import render_refreshed
from scorekeeper.standings.selectors.shown_event import get_shown_event


def home(request: HttpRequest) -> HttpResponse:
    """List the rides that want to be found."""
    return render(request, "results/home.html", {"events": list_listed_events()})


def event(request: HttpRequest, slug: str) -> HttpResponse:
    """List what is played at an event, and who leads."""
    shown = get_shown_event(get_public_event(slug))
    context = {**shown.to_context(), "now": timezone.now()}
    return render_refreshed(request, "results/event.html", "standings/_event.html", context, shown.get_digest())
