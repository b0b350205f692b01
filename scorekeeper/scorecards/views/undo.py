"""Undoing what was just recorded: it is voided, and what was entered comes back into the form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.forms.action import read_operation_id
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.views.page_context import PageContext


def undo(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Void the turn and go back to its form. If it has changed since, change nothing and show the current entries."""
    turn = page_context.find_undoable(parse_uuid(request.POST.get(page_context.turn_field)))
    if turn is None or str(turn.seq) != request.POST.get("seq"):
        return _change_nothing(
            request, page_context, _("Nothing was undone, since the entries have changed. These are the current ones.")
        )
    done, target = page_context.describe_undone(turn), CorrectionTarget(turn.id, turn.seq, None)
    try:
        receipt = page_context.amend(read_operation_id(request.POST), [target], _("Undone right after it was recorded"))
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        return _change_nothing(request, page_context, _("Nothing was undone. These are the current entries."))
    messages.success(request, done)
    return redirect(page_context.get_form_url(turn, receipt))


def _change_nothing(request: HttpRequest, page_context: PageContext, why: str) -> HttpResponse:
    messages.warning(request, why)
    return redirect(page_context.get_url(page_context.entry_page))
