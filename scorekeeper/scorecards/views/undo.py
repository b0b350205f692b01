"""Undo of the turn that was noted last: it is voided, and its dice come back into the form."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.scorecards.draft import read_draft, step_back, write_actions_field
from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.selectors.turn_due import get_state_before
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.scorecards.services.recording import NotYet, NotYours, OtherBody
from scorekeeper.scorecards.views.places import Place, open_crew_place, read_uuid
from scorekeeper.scorecards.views.signed_out import keeps_what_was_typed
from scorekeeper.scorecards.views.take_over import refuse


@keeps_what_was_typed
@crew_required
def undo(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Void the turn and go back to its form. Where something newer stands, nothing is done and the card is shown."""
    place = open_crew_place(request, bike_id)
    turn_id = read_uuid(request.POST.get("turn"))
    turn = place.card.turns.get(turn_id) if turn_id else None
    if turn is None or turn.slot_id is None or str(turn.seq) != request.POST.get("seq"):
        messages.warning(request, _("Nothing was undone: the card has changed since. This is how it stands now."))
        return redirect(place.url("card"))
    operation = read_uuid(request.POST.get("operation")) or uuid4()
    target = Target(turn.id, turn.seq, None)
    reason = _("Undone right after it was noted")
    try:
        receipt = amend_turns(
            place.actor, operation, place.contest.pk, place.bike.pk, [target], reason, place.takes_over
        )
    except NotYours:
        return refuse(request, place)
    except (OtherBody, NotYet):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This is how it stands now."))
        return redirect(place.url("card"))
    text = _("Undone: nothing is noted at %(stop)s now.") % {"stop": place.slot_names[turn.slot_id]}
    messages.success(request, text)
    return redirect(f"{reverse('scorecards:card', args=[bike_id])}?{urlencode(_draft_of(place, turn), doseq=True)}")


def _draft_of(place: Place, turn: NotedTurn) -> dict[str, Any]:
    """Return the form's fields as they were before the turn was recorded: its actions without the last."""
    assert turn.slot_id is not None
    query: dict[str, Any] = {"contest": place.contest.pk, "slot": turn.slot_id}
    if place.takes_over:
        query["takes_over"] = "1"
    draft = read_draft("", write_actions_field(turn.actions[:-1]), [], [])
    before = step_back(place.ruleset, get_state_before(place.card, turn.slot_id), draft)
    return {
        **query,
        "mode": before.mode,
        "actions": write_actions_field(before.actions),
        "held": before.held,
        "dice": before.dice,
    }
