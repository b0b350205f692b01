"""Registering a walk-up bike in a few taps, and undoing that while nothing is recorded for it.

If another bike has the number, it is often mistyped, or the bike is on the list after all. So the page asks first.
"""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import show_keys_for
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import list_bikes_by_number, list_taken_numbers
from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.forms.walk_up import WalkUpForm
from scorekeeper.scorecards.selectors.group import get_riders
from scorekeeper.scorecards.services.bike_operations import register_bike, withdraw_bike
from scorekeeper.scorecards.views.card_context import get_crew_context
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.responses import render_not_allowed

PAGE, PART = "scorecards/walk_up.html", "scorecards/_walk_up.html"


@preserve_input
@crew_required
def walk_up(request: CrewRequest) -> HttpResponse:
    """Register a bike in the crew member's group."""
    status, taken = 200, []
    query = urlencode({name: request.GET[name] for name in ("contest", "stop") if request.GET.get(name)})
    event = request.device.member.group.event
    initial = {"number": request.GET.get("number", ""), "event": event.pk}
    form = WalkUpForm(request.POST or None, initial=initial, for_event=event)
    if request.method == "POST":
        status = 422
        if form.is_valid() and form.cleaned_data["event"] not in (None, event.pk):
            form = _ask_after_switching(request, event)
        if not event.is_open:
            form.add_error(
                None, _("The event is not open, so nothing can be recorded. What you entered is still here.")
            )
        if form.is_valid() and (taken := _list_bikes_with_same_number(form, request)):
            status = 409
        elif form.is_valid():
            try:
                walk_up = form.to_walk_up(request.device.member.group_id)
                receipt = register_bike(Actor.from_device(request.device), form.cleaned_data["operation"], walk_up)
            except (IdReused, NotAllowed):  # an id of the page belongs to something else
                form, status = _with_new_ids(request, event), 409
            else:
                _add_result_message(request, receipt)
                return redirect(f"{reverse('scorecards:card', args=[form.cleaned_data['bike']])}?{query}")
    show_keys_for(form, list_taken_numbers(event))
    context = {"form": form, "query": query, "group": request.device.member.group, "taken": taken}
    return render_partial(request, PAGE, PART, context, status)


def _list_bikes_with_same_number(form: WalkUpForm, request: CrewRequest) -> list[tuple[Bike, str]]:
    """Return the bikes that already have the number, with riders and group; none once the person has decided."""
    number: BikeNumber = form.cleaned_data["number"]
    if request.POST.get("another") == str(number):
        return []
    bikes = list_bikes_by_number(request.device.member.group.event, number).exclude(pk=form.cleaned_data["bike"])
    return [
        (bike, ", ".join(filter(None, (get_riders(bike), bike.group.name if bike.group else "")))) for bike in bikes
    ]


def _ask_after_switching(request: CrewRequest, event: Event) -> WalkUpForm:
    """Return the form for the event that the phone is in now, to be confirmed."""
    fresh = _fill_in_again(request, event, event=event.pk)
    text = _(
        "This phone has switched between the event and the practice since this page was opened, so nothing was "
        "recorded. Check which of the two this is, then add the bike again."
    )
    fresh.add_error(None, text)
    return fresh


def _with_new_ids(request: CrewRequest, event: Event) -> WalkUpForm:
    fresh = _fill_in_again(request, event, operation=uuid4(), bike=uuid4())
    fresh.add_error(None, _("This page was already submitted with different details. Check the list, then try again."))
    return fresh


def _fill_in_again(request: CrewRequest, for_event: Event, **values: UUID) -> WalkUpForm:
    """Return the form with what was entered, apart from these fields."""
    data = request.POST.copy()
    for name, value in values.items():
        data[name] = str(value)
    return WalkUpForm(data, for_event=for_event)


def _add_result_message(request: CrewRequest, receipt: Receipt) -> None:
    """Say what happened in one short line, so that the dice pad below it stays on the screen."""
    number, suffix = (receipt.data or {})["number"], (receipt.data or {})["suffix"]
    if suffix == 1:
        messages.success(request, _("Registered. To undo it, tap ⋮ at the top."))
        return
    text = _("%(number)s was taken, so this is %(number)s (%(suffix)s). To undo it, tap ⋮ at the top.")
    messages.warning(request, text % {"number": number, "suffix": suffix})


@preserve_input
@crew_required
def withdraw(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Withdraw the bike and go back to the group. If that is not possible, say why and show the card."""
    card_context = get_crew_context(request, bike_id)
    if card_context.is_foreign:
        return render_not_allowed(request, card_context)
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    try:
        receipt = withdraw_bike(card_context.actor, operation, card_context.bike.pk)
    except (UnknownTarget, NotAllowed):
        messages.warning(request, _("Only the person who registered this bike can undo it. Ask the organiser."))
    except IdReused:
        messages.warning(request, _("Nothing was undone. Check the scorecard, then try again."))
    else:
        if receipt.outcome == "recorded":
            text = _("Undone: bike %(number)s is no longer registered.")
            messages.success(request, text % {"number": card_context.bike.label})
            return redirect("scorecards:group")
        messages.warning(
            request,
            _(
                "Something has been recorded on this bike, so its registration cannot be "
                "undone. The organiser can merge it."
            ),
        )
    return redirect("scorecards:card", bike_id)
