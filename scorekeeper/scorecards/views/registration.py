"""Registering a bike by an entry of its own in the log, as an organiser.

That is needed while a contest is closed, whose log lists all bikes, and for the classes of a bike that joins once
anything is recorded.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import label_bike
from scorekeeper.bikes.number_fields import show_keys_for
from scorekeeper.bikes.selectors import list_taken_numbers
from scorekeeper.common.request_data import get_next_url
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import has_closed_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused, NotAllowed
from scorekeeper.scorecards.forms.walk_up import RegistrationForm
from scorekeeper.scorecards.services.bike_operations import register_bike


@organiser_required
def register(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Register a bike. `?next=` is the page to return to."""
    form = RegistrationForm(request.POST or None, for_event=event)
    show_keys_for(form, list_taken_numbers(event))
    back = get_next_url(request, reverse("players:roster", args=[event.slug]))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            group = form.cleaned_data["group"]
            walk_up = form.to_walk_up(None if group is None else group.pk)
            receipt = register_bike(Actor.from_organiser(request.organiser), form.cleaned_data["operation"], walk_up)
        except (IdReused, NotAllowed):  # an id of the page belongs to something else
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            number = receipt.data or {}
            label = label_bike(number["number"], number["suffix"])
            messages.success(request, _("Bike %(bike)s has been added.") % {"bike": label})
            return redirect(back)
    context = {"event": event, "form": form, "back": back, "is_closed": has_closed_contest(event)}
    return render(request, "desk/register_bike.html", context, status=status)
