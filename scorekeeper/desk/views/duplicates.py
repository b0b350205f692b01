"""Bikes that share a number: two that are one are merged, others get a number of their own."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.forms.duplicates import MergeForm, RenumberForm
from scorekeeper.desk.selectors.overview import list_duplicates
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.players.selectors.names import list_riders
from scorekeeper.players.selectors.roster import list_bikes_with_people
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.naming import name_bike
from scorekeeper.scorecards.services.bikes import CannotMerge, merge_bikes, renumber_bike
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.stops.models import Slot

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@organiser_required
@require_safe
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the bikes that share a number with an earlier one, and whom they share it with."""
    rows = [(bike, list_riders(bike), _name_others(event, bike)) for bike in list_duplicates(event)]
    return render(request, "desk/duplicates.html", {"event": event, "rows": rows})


@organiser_required
@form_methods
def merge(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Make one bike of two."""
    bike = get_object_or_404(event.bikes, pk=bike_id, merged_into=None)
    form = MergeForm(request.POST or None, choices=_list_others(event, bike))
    status = 200
    if form.is_valid():
        into = get_object_or_404(event.bikes, pk=form.cleaned_data["into"], merged_into=None)
        try:
            merge_bikes(_actor(request), form.cleaned_data["operation"], bike.pk, into.pk, form.cleaned_data["reason"])
        except CannotMerge as refused:
            for sentence in _explain(refused):
                form.add_error("into", sentence.to_error())
            status = 409
        except NotYet:
            form.add_error(
                "into", _("The card of one of the two cannot be read to its end. Have it mended, then merge.")
            )
            status = 409
        except OtherBody:
            form.add_error(None, _("This page was used before. Open it again."))
            status = 409
        else:
            messages.success(request, _("%(bike)s is now bike %(into)s.") % {"bike": bike.label, "into": into.label})
            return redirect("desk:duplicates", event.slug)
    elif form.is_bound:
        status = 422
    context = {"event": event, "bike": bike, "riders": list_riders(bike), "form": form}
    return render(request, "desk/merge.html", context, status=status)


@organiser_required
@form_methods
def renumber(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Give a bike another number."""
    bike = get_object_or_404(event.bikes, pk=bike_id, merged_into=None)
    before = bike.label
    form = RenumberForm(request.POST or None, bike=bike)
    status = 200
    if form.is_valid():
        number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
        try:
            renumber_bike(_actor(request), form.cleaned_data["operation"], bike.pk, number, reason)
        except OtherBody:
            form.add_error(None, _("This page was used before. Open it again."))
            status = 409
        else:
            bike.refresh_from_db()
            messages.success(request, _("Bike %(before)s is now %(after)s.") % {"before": before, "after": bike.label})
            return redirect("desk:duplicates", event.slug)
    elif form.is_bound:
        status = 422
    context = {"event": event, "bike": bike, "riders": list_riders(bike), "form": form}
    return render(request, "desk/renumber.html", context, status=status)


def _name_others(event: Event, bike: Bike) -> str:
    others = event.bikes.filter(number=bike.number, merged_into=None).exclude(pk=bike.pk)
    return ", ".join(name_bike(other, list_riders(other)) for other in others.prefetch_related("players"))


def _actor(request: OrganiserRequest) -> Actor:
    return Actor.of_organiser(request.organiser)


def _list_others(event: Event, bike: Bike) -> list[tuple[str, str]]:
    """Return the other bikes, those with the same number first."""
    others = [other for other in list_bikes_with_people(event) if other.pk != bike.pk]
    others.sort(key=lambda other: (other.number != bike.number, other.number, other.suffix))
    return [(str(other.pk), " ".join(filter(None, [other.label, list_riders(other)]))) for other in others]


def _explain(refused: CannotMerge) -> list[Sentence]:
    if refused.problems:
        return explain_all(refused.game_key, refused.problems)
    slots = Slot.objects.filter(pk__in=refused.slot_ids).select_related("stop").order_by("ordinal")
    stops = ", ".join(slot.stop.name for slot in slots)
    return [Sentence(_("Both have a turn at %(stops)s. Void one of the two first, then merge.") % {"stops": stops})]
