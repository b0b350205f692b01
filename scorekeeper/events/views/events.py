"""Pages on which an organiser creates, changes, opens and archives events."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.forms.contests import EventForm, EventSettingsForm
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.navigation import get_start_page
from scorekeeper.events.selectors import (
    get_default_time_zone,
    get_share_link,
    is_official,
    list_contests,
    list_events,
    list_organisers,
    list_received_invitations,
    list_time_zones,
    list_unconfirmed,
)
from scorekeeper.events.services import events as services


def index(request: HttpRequest) -> HttpResponse:
    """List the user's events, those of the archive apart, and what they are asked: whether they organise an event."""
    assert request.user.is_authenticated
    # A practice copy is reached from its ride.
    events = list_events(request.user).filter(practice_of=None)
    rows = [(event, "official" if is_official(event) else event.state) for event in events]
    context = {
        "rows": [row for row in rows if row[0].archived_at is None],
        "archived_rows": [row for row in rows if row[0].archived_at is not None],
        "invitations": list_received_invitations(request.user),
        "unconfirmed": list_unconfirmed(request.user),
    }
    return render(request, "events/list.html", context)


@sent_once
def create(request: HttpRequest) -> HttpResponse:
    """Create an event as a draft."""
    assert request.user.is_authenticated
    initial = {"date": timezone.localdate(), "time_zone": get_default_time_zone(request.user)}
    form = EventForm(request.POST or None, initial=initial)
    if not form.is_bound:
        form.preset_time_zone()
    if form.is_valid():
        event = services.create_event(request.user, language=get_language() or "", **form.cleaned_data)
        messages.success(request, _("%(event)s has been created as a draft that only you can see.") % {"event": event})
        return redirect(get_start_page(event))
    has_events = list_events(request.user).exists()
    context = {"form": form, "time_zones": list_time_zones(), "has_events": has_events}
    return render(request, "events/create.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change an event, and show its share link and its organisers."""
    editing = Edit(request, partial(EventSettingsForm, instance=event))
    if editing.is_valid():
        services.update_event(event, **editing.form.cleaned_data)
        editing.announce(request, _("The settings have been saved."))
        return redirect("events:edit", event.slug)
    context = {
        "event": event,
        "form": editing.form,
        "edit": editing,
        "time_zones": list_time_zones(),
        "share_link": get_share_link(event),
        "sign_up_link": settings.BASE_URL + reverse("players:sign_up", args=[event.slug]),
        "organisers": list_organisers(event),
        "current_organiser": request.organiser,
    }
    return render(request, "events/edit.html", context, status=editing.status)


@organiser_required
def open_event(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Open the event, after confirmation."""
    if event.archived_at is not None:
        messages.error(request, _("%(event)s is in the archive. Take it out to open it.") % {"event": event})
        return redirect("events:edit", event.slug)
    if request.method == "POST":
        services.open_event(event)
        messages.success(request, _("%(event)s is open.") % {"event": event})
        return redirect(get_start_page(event))
    return render(request, "events/open.html", {"event": event, "share_link": get_share_link(event)})


@organiser_required
def archive(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Put the event into the archive, after confirmation. Its contests have to be closed."""
    open_contests = [contest for contest in list_contests(event) if contest.status == Contest.Status.OPEN]
    open_contests = open_contests if event.is_open else []
    if request.method == "POST" and not open_contests:
        try:
            services.archive_event(event)
        except services.ContestStillOpen:
            messages.warning(request, _("Someone else has just opened a contest. Close it first."))
            return redirect("events:archive", event.slug)
        messages.success(request, _("%(event)s is in the archive.") % {"event": event})
        return redirect("events:list")
    context = {"event": event, "open_contests": open_contests}
    return render(request, "events/archive.html", context, status=409 if request.method == "POST" else 200)


@organiser_required
def unarchive(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Take the event out of the archive."""
    services.unarchive_event(event)
    messages.success(request, _("%(event)s is no longer in the archive.") % {"event": event})
    return redirect("events:edit", event.slug)
