"""Undo of a registration: a walk-up by a wrong number is gone again, as long as nothing is recorded on it."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.scorecards.services.bike_operations import withdraw_bike
from scorekeeper.scorecards.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.views.card_context import get_crew_context, parse_uuid
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed


@preserve_input
@crew_required
def withdraw(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Withdraw the bike and go back to the group; where that cannot be, say why and show the card."""
    place = get_crew_context(request, bike_id)
    if place.takes_over:
        return render_not_allowed(request, place)
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    try:
        receipt = withdraw_bike(place.actor, operation, place.bike.pk)
    except (UnknownTarget, NotAllowed):
        messages.warning(request, _("Only the person who registered this bike can undo it. Ask the organiser."))
    except IdReused:
        messages.warning(request, _("Nothing was undone. Check the scorecard, then try again."))
    else:
        if receipt.outcome == "recorded":
            text = _("Undone: bike %(number)s is no longer registered.")
            messages.success(request, text % {"number": place.bike.label})
            return redirect("scorecards:group")
        messages.warning(
            request,
            _(
                "Something has been recorded on this bike, so its registration cannot be "
                "undone. The organiser can merge it."
            ),
        )
    return redirect("scorecards:card", bike_id)
