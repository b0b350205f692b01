"""Retiring a seat, in or out of turn: its points are kept, but rank below everyone still playing (TABLE-3)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.actions import Retire
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.offers import list_retirable_seats
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.views.correction_targets import render_needs_review
from scorekeeper.scorecards.views.error_summary import make_page_errors, make_reason_errors
from scorekeeper.scorecards.views.table_context import TableContext, render_table_page

MAX_DIGITS = 4  # of a seat's index


def retire(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Ask whether the seat retires, then record it."""
    seat = _read_seat(request, table_context)
    form = ActionForm.from_data(get_request_data(request), table_context.table.length)
    if request.method != "POST":
        return _render(request, table_context, seat, form)
    if _may_retire(table_context, seat) and form.seen_length != table_context.table.length:
        text = _("The table has changed since you opened this page. Check it, then confirm again.")
        return _render(request, table_context, seat, form.for_retry(table_context.table.length, form.draft), text, 409)
    if table_context.table.is_sealed and not form.reason:
        why = _("The contest is closed. Enter a reason for recording this anyway.")
        return _render(request, table_context, seat, form, status=422, reason_error=why)
    if not table_context.may_record:
        return _render(request, table_context, seat, form, _("Nothing can be recorded at this table now."), 422)
    new_action = NewAction(table_context.table.id, form.seen_length, [{"seat": seat, "type": Retire.type}], form.reason)
    try:
        receipt = record_action(table_context.actor, form.operation, new_action)
    except (IdReused, UnknownTarget):
        text = _("This page was already submitted. Check the table, then confirm again.")
        return _render(request, table_context, seat, form.for_retry(table_context.table.length, form.draft), text, 409)
    if not receipt.is_applied:
        return render_needs_review(request, table_context.with_current_table(), receipt)
    action_id = parse_uuid((receipt.data or {}).get("turn")) or form.operation
    return redirect(f"{table_context.get_url('table')}?done={action_id}")


def _read_seat(request: HttpRequest, table_context: TableContext) -> int:
    word = get_request_data(request).get("seat", "")
    if not (word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS and int(word) < table_context.table.seats):
        raise Http404
    return int(word)


def _may_retire(table_context: TableContext, seat: int) -> bool:
    return seat in list_retirable_seats(table_context.game, table_context.table.state)


def _render(
    request: HttpRequest,
    table_context: TableContext,
    seat: int,
    form: ActionForm,
    text: str = "",
    status: int = 200,
    reason_error: str = "",
) -> HttpResponse:
    context = {
        "page_url": table_context.get_url("retire"),
        "form": form,
        "seat": seat,
        "name": table_context.names[seat],
        "may_retire": _may_retire(table_context, seat),
        "is_sealed": table_context.table.is_sealed,
        "reason_error": reason_error,
        "errors": [*make_page_errors([text] if text else []), *make_reason_errors(reason_error)],
    }
    return render_table_page(request, table_context, _("Retire"), "scorecards/_retire_seat.html", context, status)
