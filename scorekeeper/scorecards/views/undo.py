"""Undoing the turn that was just recorded: it is voided, and the form shows its dice again."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.turn_draft import dump_actions_field, parse_draft, undo_last_tap
from scorekeeper.scorecards.views.card_context import CardContext, get_crew_context
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed


@preserve_input
@crew_required
def undo(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Void the turn and go back to its form. If the turn has changed since, do nothing and show the card."""
    card_context = get_crew_context(request, bike_id)
    turn_id = parse_uuid(request.POST.get("turn"))
    turn = card_context.card.turns.get(turn_id) if turn_id else None
    if turn is None or turn.slot_id is None or str(turn.seq) != request.POST.get("seq"):
        messages.warning(
            request, _("Nothing was undone: the scorecard has changed since. This page now shows the current entries.")
        )
        return redirect(card_context.url("card"))
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    target = CorrectionTarget(turn.id, turn.seq, None)
    reason = _("Undone right after it was recorded")
    try:
        receipt = amend_turns(
            card_context.actor,
            operation,
            card_context.contest.pk,
            card_context.bike.pk,
            [target],
            reason,
            card_context.takes_over,
        )
    except NotAllowed:
        return render_not_allowed(request, card_context)
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This page now shows the current entries."))
        return redirect(card_context.url("card"))
    text = _("Undone: nothing is recorded at %(stop)s now.") % {"stop": card_context.slot_names[turn.slot_id]}
    messages.success(request, text)
    return redirect(
        f"{reverse('scorecards:card', args=[bike_id])}?{urlencode(_make_draft_query(card_context, turn), doseq=True)}"
    )


def _make_draft_query(card_context: CardContext, turn: RecordedTurn) -> dict[str, Any]:
    """Return the form's fields as they were before the turn was recorded: its actions without the last."""
    assert turn.slot_id is not None
    query: dict[str, Any] = {"contest": card_context.contest.pk, "slot": turn.slot_id}
    if card_context.takes_over:
        query["takes_over"] = "1"
    draft = parse_draft("", dump_actions_field(turn.actions[:-1]), [], [])
    before = undo_last_tap(card_context.ruleset, card_context.card.get_state_before(turn.slot_id), draft)
    return {
        **query,
        "mode": before.mode,
        "actions": dump_actions_field(before.actions),
        "held": before.held,
        "dice": before.dice,
    }
