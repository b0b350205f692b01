"""Undoing the registration of a walk-up, such as one with a wrong number, while nothing is recorded for it."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.bike_operations import withdraw_bike
from scorekeeper.scorecards.views.card_context import get_crew_context
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed


@preserve_input
@crew_required
def withdraw(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Withdraw the bike and go back to the group. If that is not possible, say why and show the card."""
    card_context = get_crew_context(request, bike_id)
    if card_context.takes_over:
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
