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
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.selectors.slot_state import get_state_before
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.turn_draft import dump_actions_field, parse_draft, undo_last_tap
from scorekeeper.scorecards.views.card_context import CardContext, get_crew_context, parse_uuid
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed


@preserve_input
@crew_required
def undo(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Void the turn and go back to its form. Where something newer stands, nothing is done and the card is shown."""
    place = get_crew_context(request, bike_id)
    turn_id = parse_uuid(request.POST.get("turn"))
    turn = place.card.turns.get(turn_id) if turn_id else None
    if turn is None or turn.slot_id is None or str(turn.seq) != request.POST.get("seq"):
        messages.warning(
            request, _("Nothing was undone: the scorecard has changed since. This page now shows the current entries.")
        )
        return redirect(place.url("card"))
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    target = CorrectionTarget(turn.id, turn.seq, None)
    reason = _("Undone right after it was recorded")
    try:
        receipt = amend_turns(
            place.actor, operation, place.contest.pk, place.bike.pk, [target], reason, place.takes_over
        )
    except NotAllowed:
        return render_not_allowed(request, place)
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This page now shows the current entries."))
        return redirect(place.url("card"))
    text = _("Undone: nothing is recorded at %(stop)s now.") % {"stop": place.slot_names[turn.slot_id]}
    messages.success(request, text)
    return redirect(
        f"{reverse('scorecards:card', args=[bike_id])}?{urlencode(_make_draft_query(place, turn), doseq=True)}"
    )


def _make_draft_query(place: CardContext, turn: RecordedTurn) -> dict[str, Any]:
    """Return the form's fields as they were before the turn was recorded: its actions without the last."""
    assert turn.slot_id is not None
    query: dict[str, Any] = {"contest": place.contest.pk, "slot": turn.slot_id}
    if place.takes_over:
        query["takes_over"] = "1"
    draft = parse_draft("", dump_actions_field(turn.actions[:-1]), [], [])
    before = undo_last_tap(place.ruleset, get_state_before(place.card, turn.slot_id), draft)
    return {
        **query,
        "mode": before.mode,
        "actions": dump_actions_field(before.actions),
        "held": before.held,
        "dice": before.dice,
    }
