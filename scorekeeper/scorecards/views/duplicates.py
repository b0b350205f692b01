"""Bikes that share a number: duplicates are merged, others get a number of their own."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import pad_number
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.operation_forms import ReasonForm
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.players.selectors import format_riders, list_bikes_with_people
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.display_names import format_bike
from scorekeeper.scorecards.forms.duplicates import MergeForm, RenumberForm
from scorekeeper.scorecards.selectors.duplicates import list_duplicates
from scorekeeper.scorecards.services.bike_operations import CannotMerge, merge_bikes, renumber_bike
from scorekeeper.scorecards.services.bike_unmerge import CannotUnmerge, unmerge_bikes
from scorekeeper.stops.models import Slot


@organiser_required
def list_pages(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the bikes that share a number with an earlier one, and the bikes they share it with."""
    return _render_list(request, event)


@organiser_required
def merge(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Merge a bike into another one."""
    bike = _find_bike(request, event, bike_id)
    if isinstance(bike, HttpResponse):
        return bike
    form = MergeForm(request.POST or None, choices=_list_others(event, bike))
    status = 200
    if form.is_valid():
        into = event.bikes.get(pk=form.cleaned_data["into"])
        try:
            merge_bikes(
                _get_actor(request), form.cleaned_data["operation"], bike.pk, into.pk, form.cleaned_data["reason"]
            )
        except NotAllowed:
            # It belonged to this event when the form was made, so another organiser has merged one of the two since.
            form.add_error("into", _("Another organiser has just merged one of the two bikes. Check the list again."))
            status = 409
        except CannotMerge as error:
            for sentence in _explain(error):
                form.add_error("into", sentence.to_error())
            status = 409
        except UnknownTarget:
            form.add_error("into", _("The scorecard of one of the two bikes is damaged. Have it repaired, then merge."))
            status = 409
        except IdReused:
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            messages.success(
                request, _("%(bike)s has been merged into bike %(into)s.") % {"bike": bike.label, "into": into.label}
            )
            return redirect("desk:duplicates", event.slug)
    elif form.is_bound:
        status = 422
    context = {"event": event, "bike": bike, "riders": format_riders(bike), "form": form}
    return render(request, "desk/merge.html", context, status=status)


@organiser_required
def renumber(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Give a bike another number."""
    bike = _find_bike(request, event, bike_id)
    if isinstance(bike, HttpResponse):
        return bike
    before = bike.label
    form = RenumberForm(request.POST or None, bike=bike)
    status = 200
    if form.is_valid():
        number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
        try:
            renumber_bike(_get_actor(request), form.cleaned_data["operation"], bike.pk, number, reason)
        except NotAllowed:
            form.add_error(
                None, _("Another organiser has just merged this bike into another one. Check the list again.")
            )
            status = 409
        except IdReused:
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            bike.refresh_from_db()
            messages.success(request, _("Bike %(before)s is now %(after)s.") % {"before": before, "after": bike.label})
            return redirect("desk:duplicates", event.slug)
    elif form.is_bound:
        status = 422
    context = {"event": event, "bike": bike, "riders": format_riders(bike), "form": form}
    return render(request, "desk/renumber.html", context, status=status)


@organiser_required
def unmerge(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Undo a merge, so that the bikes are separate again."""
    bike = get_object_or_404(event.bikes.select_related("merged_into"), pk=bike_id)
    if bike.merged_into is None:
        messages.info(request, _("Bike %(bike)s is not merged into another bike.") % {"bike": bike.label})
        return redirect("desk:duplicates", event.slug)
    form = ReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            unmerge_bikes(_get_actor(request), form.cleaned_data["operation"], bike.pk, form.cleaned_data["reason"])
        except CannotUnmerge as error:
            for sentence in explain_all(error.game_key, error.problems):
                form.add_error(None, sentence.to_error())
            status = 409
        except UnknownTarget:
            form.add_error(None, _("The scorecard of one of the two bikes is damaged. Have it repaired first."))
            status = 409
        except IdReused:
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            bike.refresh_from_db()
            messages.success(request, _("Bike %(bike)s is a separate bike again.") % {"bike": bike.label})
            return redirect("desk:duplicates", event.slug)
    return render(request, "desk/unmerge.html", {"event": event, "bike": bike, "form": form}, status=status)


def _render_list(request: OrganiserRequest, event: Event, status: int = 200) -> HttpResponse:
    rows = [(bike, format_riders(bike), _format_others(event, bike)) for bike in list_duplicates(event)]
    merged = event.bikes.exclude(merged_into=None).select_related("merged_into").order_by("number", "suffix")
    context = {"event": event, "rows": rows, "merged": merged}
    return render(request, "desk/duplicates.html", context, status=status)


def _find_bike(request: OrganiserRequest, event: Event, bike_id: UUID) -> Bike | HttpResponse:
    """Return a bike that still exists and is not merged; otherwise a response that says what has happened to it.

    Raises:
        Http404: the event never had such a bike.
    """
    bike = event.bikes.select_related("merged_into").filter(pk=bike_id).first()
    if bike is None:
        if not was_withdrawn(event.pk, bike_id):
            raise Http404
        messages.info(
            request, _("This bike no longer exists. The phone that registered it has undone the registration.")
        )
        return _render_list(request, event, status=409)
    if bike.merged_into is not None:
        # Perhaps the same form was sent twice.
        params = {"bike": bike.label, "into": bike.merged_into.label}
        messages.info(request, _("%(bike)s has already been merged into bike %(into)s.") % params)
        return redirect("desk:duplicates", event.slug)
    return bike


def _format_others(event: Event, bike: Bike) -> str:
    others = event.bikes.filter(number=bike.number, merged_into=None).exclude(pk=bike.pk)
    return ", ".join(format_bike(other, format_riders(other)) for other in others.prefetch_related("players"))


def _get_actor(request: OrganiserRequest) -> Actor:
    return Actor.from_organiser(request.organiser)


def _list_others(event: Event, bike: Bike) -> list[tuple[str, str]]:
    """Return the other bikes, those with the same number first."""
    others = [other for other in list_bikes_with_people(event) if other.pk != bike.pk]
    others.sort(key=lambda other: (other.number != bike.number, pad_number(other.number), other.suffix))
    return [(str(other.pk), " ".join(filter(None, [other.label, format_riders(other)]))) for other in others]


def _explain(error: CannotMerge) -> list[Sentence]:
    if error.problems:
        return explain_all(error.game_key, error.problems)
    slots = Slot.objects.filter(pk__in=error.slot_ids).select_related("stop").order_by("ordinal")
    stops = ", ".join(slot.stop.name for slot in slots)
    return [Sentence(_("Both have a turn at %(stops)s. Void one of the two first, then merge.") % {"stops": stops})]
