"""Practice: making the practice event of a ride, playing it up to a stop, and starting over."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.sent_once import sent_once
from scorekeeper.crew.phones import count_phones
from scorekeeper.desk.forms import PracticeRunForm
from scorekeeper.desk.models import PracticeRun
from scorekeeper.desk.selectors.event_contents import get_event_contents
from scorekeeper.desk.services.practice import NoRideToPractise, restart_practice, start_practice, start_run
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.navigation import get_start_page
from scorekeeper.events.selectors import get_practice_event
from scorekeeper.events.services.events import EventArchived


def get_practice_context(event: Event, form: PracticeRunForm | None = None) -> dict[str, Any]:
    """Return what the overview says about practice: of a ride its practice event, of a practice event its controls.

    Args:
        form: as it was sent, with its errors; by default a new one.
    """
    if not event.is_practice:
        return {"practice": get_practice_event(event)}
    run = PracticeRun.objects.filter(event=event).select_related("stop").first()
    return {"practice_form": form or PracticeRunForm(event=event), "practice_run": run}


@sent_once
@organiser_required
def start(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Make the practice event of a ride, or go to the one that it has."""
    try:
        practice = start_practice(event, request.user)
    except NoRideToPractise:
        return redirect(get_start_page(event))
    except EventArchived:
        messages.error(request, _("%(event)s is in the archive. Take it out to practise.") % {"event": event})
        return redirect("events:edit", event.slug)
    return redirect(get_start_page(practice))


@sent_once
@organiser_required
def play(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Play a practice event up to a stop, or show the form again with its errors."""
    if not event.is_practice:
        return redirect(get_start_page(event))
    form = PracticeRunForm(request.POST or None, event=event)
    if form.is_valid():
        start_run(request.organiser, event, **form.cleaned_data)
        return redirect(get_start_page(event))
    context = {"event": event, **get_practice_context(event, form)}
    return render(request, "desk/practice_play.html", context, status=422 if form.is_bound else 200)


@organiser_required
def show_progress(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show how far a practice event has been played: the line that the overview refreshes."""
    if not event.is_practice:
        return redirect(get_start_page(event))
    context = {"event": event, **get_practice_context(event)}
    template = "desk/_practice_progress.html" if request.htmx else "desk/practice_play.html"
    return render(request, template, context)


@sent_once
@organiser_required
def restart(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Start a practice over, after confirmation that lists what goes."""
    if not event.is_practice or event.practice_of is None:
        return redirect(get_start_page(event))
    if request.method == "POST":
        try:
            practice = restart_practice(event, request.user)
        except EventArchived:
            messages.error(request, _("The event is in the archive. Take it out to practise."))
            return redirect(get_start_page(event))
        messages.success(request, _("The practice starts over. Crew phones switch to it again from the event."))
        return redirect(get_start_page(practice))
    context = {"event": event, "contents": get_event_contents(event), "phones": count_phones(event)}
    return render(request, "desk/practice_restart.html", context)
