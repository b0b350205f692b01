"""Deleting an event."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.desk.forms import DeleteEventForm
from scorekeeper.desk.selectors.event_contents import get_event_contents, has_official_result
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.standings.event_log_removal import EventHasResults


@organiser_required
def delete(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List what goes, and delete the event once its name is typed. One with an official result stays."""
    if has_official_result(event):
        return render(request, "desk/delete_refused.html", {"event": event}, status=_choose_status(request))
    form = DeleteEventForm(request.POST or None, event=event)
    if form.is_valid():
        try:
            delete_event(event)
        except EventHasResults:
            return redirect("desk:delete", event.slug)  # published meanwhile; the page now says so
        messages.success(request, _("%(event)s has been deleted.") % {"event": event})
        return redirect("events:list")
    context = {"event": event, "form": form, "contents": get_event_contents(event)}
    return render(request, "desk/delete.html", context, status=422 if form.is_bound else 200)


def _choose_status(request: OrganiserRequest) -> int:
    return 409 if request.method == "POST" else 200
