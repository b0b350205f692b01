"""The home page and the page of an event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.events.selectors import list_listed_events
from scorekeeper.results.public_lookups import get_public_event
from scorekeeper.standings.selectors.event_presenter import get_event_presenter


def home(request: HttpRequest) -> HttpResponse:
    """List the rides that are publicly listed."""
    return render(request, "results/home.html", {"events": list_listed_events()})


def event(request: HttpRequest, slug: str) -> HttpResponse:
    """List the contests of an event, and who leads."""
    presenter = get_event_presenter(get_public_event(slug))
    context = {**presenter.to_context(), "now": timezone.now()}
    return render_refreshable(request, "results/event.html", "standings/_event.html", context, presenter.get_digest())
