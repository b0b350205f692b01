"""Pages on which an organiser manages the bikes and the people on them, and prints the codes of the bikes."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike, is_roster_fixed
from scorekeeper.bikes.services import NumberFixed, NumberTaken, RosterFixed
from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.next_url import get_next_url
from scorekeeper.common.qr import QUICK_MASK, QrCode, make_qr_code
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.players.forms.roster import BikeForm
from scorekeeper.players.selectors.roster import list_people_without_bike, list_roster
from scorekeeper.players.selectors.sign_ups import count_pending_sign_ups
from scorekeeper.players.services import bikes as services


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the bikes by group, and the people without a bike."""
    rosters = list_roster(event)
    context = {
        "event": event,
        "rosters": rosters,
        "bikes": sum(len(roster.bikes) for roster in rosters),
        "sign_ups": count_pending_sign_ups(event),
        "people": list_people_without_bike(event),
    }
    return render(request, "players/roster.html", context)


@sent_once
@organiser_required
def add(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Add a bike. `?next=` is the page to return to. While a contest is closed, another page registers the bike."""
    if request.method == "GET" and is_roster_fixed(event):
        return redirect(f"{reverse('desk:register_bike', args=[event.slug])}?{request.GET.urlencode()}")
    form = BikeForm(request.POST or None, event=event)
    back = get_next_url(request, reverse("players:roster", args=[event.slug]))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            bike = services.add_bike(event, **form.cleaned_data)
        except NumberTaken:
            form.add_error("number", form.get_number_taken_message(form.cleaned_data["number"]))
        except RosterFixed:
            form.add_error(None, _("A contest has just been closed. Open this page again to add the bike."))
            status = 409
        else:
            messages.success(request, _("Bike %(bike)s has been added.") % {"bike": bike})
            return redirect(back)
    context = {"event": event, "form": form, "back": back}
    return render(request, "players/add_bike.html", context, status=status)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Change a bike and the people on it."""
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        return _show_deleted_bike(request, event)
    label = bike.label
    editing = Edit(request, partial(BikeForm, event=event, instance=bike))
    form = editing.form
    if editing.is_valid():
        try:
            services.update_bike(get_bike(event, bike_id), **form.cleaned_data)
        except Bike.DoesNotExist:  # its registration at a stop was undone at this very moment
            return _show_deleted_bike(request, event)
        except NumberTaken:
            form.add_error("number", form.get_number_taken_message(form.cleaned_data["number"]))
        except NumberFixed:
            form.add_error("number", _("The ride has just been opened. Open this page again to change the number."))
        else:
            messages.success(request, _("Bike %(bike)s has been changed.") % {"bike": label})
            editing.announce(request)
            return redirect("players:roster", event.slug)
    context = {"event": event, "bike": bike, "label": label, "form": form, "edit": editing}
    return render(request, "players/edit_bike.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Delete a bike that has no scorecard, after confirmation."""
    bike = _find(event, bike_id)
    if request.method == "POST":
        try:
            services.delete_bike(bike)
        except services.BikeInUse:
            text = _(
                "Bike %(bike)s has a scorecard, or is checked in or marked as not started, so it cannot be deleted."
            )
            messages.error(request, text % {"bike": bike})
        except services.RegisteredAtStop:
            text = _(
                "Bike %(bike)s was registered at a stop, so you cannot delete it here. The person who "
                "registered it can undo that on the bike’s scorecard. Or give it the right number and merge "
                "it under “Bikes that share a number”."
            )
            messages.error(request, text % {"bike": bike})
        except RosterFixed:
            text = _(
                "A contest is closed, and its log lists bike %(bike)s, so it cannot be deleted. Reopen the contest "
                "first, or keep the bike: without a scorecard it is not ranked."
            )
            messages.error(request, text % {"bike": bike})
        else:
            messages.success(request, _("Bike %(bike)s has been deleted.") % {"bike": bike})
        return redirect("players:roster", event.slug)
    return render(request, "players/delete_bike.html", {"event": event, "bike": bike})


def _show_deleted_bike(request: OrganiserRequest, event: Event) -> HttpResponse:
    back = reverse("players:roster", args=[event.slug])
    return show_deleted(request, BikeForm(request.POST, event=event), {"event": event}, back)


def _find(event: Event, bike_id: UUID) -> Bike:
    try:
        return get_bike(event, bike_id)
    except Bike.DoesNotExist as error:
        raise Http404 from error


@organiser_required
def show_codes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show a QR code for each bike, to print; each group starts on a new page."""
    rosters = [
        (roster.group, [(bike, _make_bike_qr(bike)) for bike in roster.bikes])
        for roster in list_roster(event)
        if roster.bikes
    ]
    return render(request, "players/codes.html", {"event": event, "rosters": rosters})


def _make_bike_qr(bike: Bike) -> QrCode:
    return make_qr_code(settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)]), mask=QUICK_MASK)
