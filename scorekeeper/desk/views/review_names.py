"""Names on a walk-up from a phone whose access had ended: the organiser adds them to the bike, or leaves them out."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import UncheckedPeople
from scorekeeper.scorecards.services.unchecked_people import add_unchecked_people, leave_out_unchecked_people

LEAVE_OUT = "leave_out"  # the value of the button; any other adds the names


@organiser_required
def decide(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Add the names or leave them out, then show the review list again."""
    bike = get_object_or_404(Bike, event=event, pk=bike_id)
    is_left_out = request.POST.get("decision") == LEAVE_OUT
    try:
        named = (leave_out_unchecked_people if is_left_out else add_unchecked_people)(event, bike.pk)
    except UncheckedPeople.DoesNotExist:
        messages.info(request, _("These names have already been added or erased."))
    else:
        text = _("Bike %(number)s: names left out.") if is_left_out else _("Bike %(number)s: names added.")
        messages.success(request, text % {"number": named})
    return redirect("desk:review", event.slug)
