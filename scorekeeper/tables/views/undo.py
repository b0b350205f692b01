"""Undo of the action that was noted last: it is voided, and what was tapped comes back into the form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.views.card_context import parse_uuid
from scorekeeper.tables.action_draft import draft_from_action
from scorekeeper.tables.forms.action import read_operation_id
from scorekeeper.tables.offers import find_offer, list_offers
from scorekeeper.tables.services.corrections import correct_actions
from scorekeeper.tables.views.table_context import TableContext


def undo(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Void the action and go back to its form. Where something newer stands, nothing is done and the table is shown."""
    last = place.table.last_action
    is_last = last is not None and last.id == parse_uuid(request.POST.get("action"))
    if last is None or not is_last or str(last.seq) != request.POST.get("seq") or not place.may_record:
        messages.warning(
            request, _("Nothing was undone: the table has changed since. This page now shows the current state.")
        )
        return redirect(place.get_url("table"))
    told = place.describe_action(last)
    try:
        target, reason = CorrectionTarget(last.id, last.seq, None), _("Undone right after it was recorded")
        receipt = correct_actions(place.actor, read_operation_id(request.POST), place.table.id, [target], reason)
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This page now shows the current state of the table."))
        return redirect(place.get_url("table"))
    messages.success(request, _("Undone: %(what)s.") % {"what": told})
    return redirect(f"{place.get_url('table')}?{_encode_draft(place, last, receipt.entries[0]['seq'])}")


def _encode_draft(place: TableContext, last: RecordedTurn, seen: int) -> str:
    """Return the form's fields as they were before the action was noted, as an address carries them.

    Args:
        seen: how long the chain is with the void; on a table that has gone on the address brings no dice back.
    """
    offers = list_offers(place.game, place.table.state_before(last.id))
    offer = find_offer(offers, last.actions[0])
    words = {} if offer is None else draft_from_action(offer, last.actions[0]).field_values
    return urlencode({**words, "seen": (str(seen),)}, doseq=True)
