"""Copying an event: choosing which, and what came along."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from scorekeeper.common.sent_once import sent_once
from scorekeeper.desk.forms import EventCopyForm
from scorekeeper.desk.selectors.event_contents import get_event_contents
from scorekeeper.desk.services.event_copy import copy_event_with_omissions
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_events


@sent_once
def copy(request: HttpRequest) -> HttpResponse:
    """Ask which of the user's events to copy, and copy it. `?event=` chooses one."""
    assert request.user.is_authenticated
    source = list_events(request.user).filter(slug=request.GET.get("event", ""), is_practice=False).first()
    form = EventCopyForm(request.POST or None, user=request.user, source=source)
    if form.is_valid():
        values = form.cleaned_data
        result = copy_event_with_omissions(values.pop("source"), request.user, **values)
        for omission in result.omissions:
            messages.warning(request, omission)
        return redirect("desk:copied", result.event.slug)
    return render(request, "desk/copy.html", {"form": form}, status=422 if form.is_bound else 200)


@organiser_required
def show_copy(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Say what came along, and what the organiser does next."""
    return render(request, "desk/copied.html", {"event": event, "contents": get_event_contents(event)})
