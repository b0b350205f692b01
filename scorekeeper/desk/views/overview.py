"""The start page of an event for its organisers: its state, and what to do next."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.crew.phones import count_phones
from scorekeeper.desk.selectors.overview import (
    count_conflicts,
    count_in_review,
    get_contest_progress,
    list_duplicates,
    list_setup_steps,
)
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_share_link, is_official, list_contests


@organiser_required
def show_event(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the state of the event."""
    if not event.is_open:
        steps = list_setup_steps(event)
        context = {"event": event, "steps": steps, "is_ready": all(step.is_done for step in steps)}
        return render(request, "desk/draft.html", context)
    context = {
        "event": event,
        "is_official": is_official(event),
        "progress": [get_contest_progress(contest) for contest in list_contests(event)],
        "in_review": count_in_review(event),
        "conflicts": count_conflicts(event),
        "phones": count_phones(event),
        "duplicates": len(list_duplicates(event)),
        "share_link": get_share_link(event),
    }
    return render(request, "desk/event.html", context)
