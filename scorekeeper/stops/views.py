"""Pages on which an organiser sets up the stops of a ride and assigns turns to them."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.services.contests import ContestFrozen
from scorekeeper.stops import services
from scorekeeper.stops.forms import SlotsForm, StopForm, StopHoursForm
from scorekeeper.stops.selectors import list_slots, list_stops, list_stops_with_turns
from scorekeeper.stops.services import set_slots


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the stops in order, and add a stop."""
    form = StopHoursForm(request.POST or None)
    if form.is_valid():
        stop = services.add_stop(event, **form.cleaned_data)
        messages.success(request, _("%(stop)s has been added as the last stop.") % {"stop": stop})
        return redirect("stops:list", event.slug)
    context = {"event": event, "form": form, "stops": list_stops_with_turns(event)}
    return render(request, "stops/list.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, stop_id: UUID) -> HttpResponse:
    """Change a stop: its name, hours, place and the note for the crew."""
    stop = list_stops(event).filter(pk=stop_id).first()
    if stop is None:
        back = reverse("stops:list", args=[event.slug])
        return show_deleted(request, StopForm(request.POST), {"event": event}, back)
    editing = Edit(request, partial(StopForm, instance=stop))
    if editing.is_valid():
        services.update_stop(stop, editing.form.get_details())
        editing.announce(request, _("%(stop)s has been changed.") % {"stop": stop})
        return redirect("stops:list", event.slug)
    context = {"event": event, "stop": stop, "form": editing.form, "edit": editing}
    return render(request, "stops/edit.html", context, status=editing.status)


@organiser_required
def move(request: OrganiserRequest, event: Event, stop_id: UUID) -> HttpResponse:
    """Move a stop up or down by one."""
    stop = get_object_or_404(list_stops(event), pk=stop_id)
    upwards = is_move_up(request)
    try:
        services.move_stop(stop, upwards=upwards)
    except ContestFrozen:
        text = _("A contest with turns at both stops was played or closed, so their order cannot change.")
        messages.error(request, text)
    return redirect("stops:list", event.slug)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, stop_id: UUID) -> HttpResponse:
    """Delete a stop that has no turns, after confirmation."""
    stop = get_object_or_404(list_stops(event), pk=stop_id)
    in_use = _("%(stop)s has turns of a contest or a prize. Assign the turns to another stop, and change the prize.")
    return Confirmation(
        event=event,
        tab="stops",
        title=_("Delete the stop"),
        question=_("Delete %(stop)s?") % {"stop": stop},
        explanation=_("You can delete a stop only if no turns are played there and no prize is for it."),
        done=_("%(stop)s has been deleted.") % {"stop": stop},
        back=reverse("stops:list", args=[event.slug]),
        refusals={services.StopInUse: in_use % {"stop": stop}},
    ).answer(request, partial(services.delete_stop, stop))


@organiser_required
@one_edit_at_a_time
def slots(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Assign the turns of a contest to stops."""
    contest = get_object_or_404(event.contests.select_related("event"), slug=contest_slug)
    if contest.game.slot_option is None:
        raise Http404
    editing = Edit(request, partial(SlotsForm, contest=contest))
    status = editing.status
    if editing.is_valid():
        try:
            set_slots(contest, editing.form.get_counts())
        except ContestFrozen:
            contest.refresh_from_db()
            status = 409
        else:
            editing.announce(request, _("The turns of %(contest)s have been assigned to stops.") % {"contest": contest})
            return redirect("events:contests", event.slug)
    context = {
        "event": event,
        "contest": contest,
        "form": editing.form,
        "edit": editing,
        "slots": list_slots(contest),
    }
    return render(request, "stops/slots.html", context, status=status)
