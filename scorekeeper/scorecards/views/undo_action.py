"""Undo of the last recorded action: it is voided, and what was entered comes back into the form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.action_draft import draft_from_action
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.action import read_operation_id
from scorekeeper.scorecards.offers import find_offer, list_offers
from scorekeeper.scorecards.services.action_corrections import correct_actions
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.views.table_context import TableContext


def undo(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Void the action and go back to its form. If there is a newer action, change nothing and show the table."""
    last = table_context.table.last_action
    is_last = last is not None and last.id == parse_uuid(request.POST.get("action"))
    if last is None or not is_last or str(last.seq) != request.POST.get("seq") or not table_context.may_record:
        messages.warning(
            request, _("Nothing was undone: the table has changed since. This page now shows the current state.")
        )
        return redirect(table_context.get_url("table"))
    description = table_context.describe_action(last)
    try:
        target, reason = CorrectionTarget(last.id, last.seq, None), _("Undone right after it was recorded")
        receipt = correct_actions(
            table_context.actor, read_operation_id(request.POST), table_context.table.id, [target], reason
        )
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This page now shows the current state of the table."))
        return redirect(table_context.get_url("table"))
    messages.success(request, _("Undone: %(what)s.") % {"what": description})
    return redirect(f"{table_context.get_url('table')}?{_encode_draft(table_context, last, receipt.entries[0]['seq'])}")


def _encode_draft(table_context: TableContext, last: RecordedTurn, seen_length: int) -> str:
    """Return the form's fields as they were before the action was recorded, encoded as a query string.

    Args:
        seen_length: the length of the chain with the void; if the table has changed since, the URL brings no dice back.
    """
    offers = list_offers(table_context.game, table_context.table.state_before(last.id))
    offer = find_offer(offers, last.actions[0])
    values = {} if offer is None else draft_from_action(offer, last.actions[0]).field_values
    return urlencode({**values, "seen": (str(seen_length),)}, doseq=True)
