"""A seat that leaves the table, in its turn or out of it: its points stand, and rank below all that stay (TABLE-3)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.actions import Retire
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.views.card_context import get_request_data, parse_uuid
from scorekeeper.tables.forms.action import ActionForm
from scorekeeper.tables.offers import list_retirable_seats
from scorekeeper.tables.services.actions import NewAction, record_action
from scorekeeper.tables.views.correction_targets import render_needs_review
from scorekeeper.tables.views.error_summary import make_page_errors, make_reason_errors
from scorekeeper.tables.views.table_context import TableContext, render_table_page

MAX_DIGITS = 4  # of a seat's index


def retire(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Name the seat, then note that it leaves."""
    seat = _read_seat(request, place)
    form = ActionForm.from_data(get_request_data(request), place.table.length)
    if request.method != "POST":
        return _render(request, place, seat, form)
    if _may_retire(place, seat) and form.seen_length != place.table.length:
        text = _("The table has changed since you opened this page. Check it, then confirm again.")
        return _render(request, place, seat, form.for_retry(place.table.length, form.draft), text, 409)
    if place.table.is_sealed and not form.reason:
        why = _("The contest is closed. Enter a reason for recording this anyway.")
        return _render(request, place, seat, form, status=422, reason_error=why)
    if not place.may_record:
        return _render(request, place, seat, form, _("Nothing can be recorded at this table now."), 422)
    note = NewAction(place.table.id, form.seen_length, [{"seat": seat, "type": Retire.type}], form.reason)
    try:
        receipt = record_action(place.actor, form.operation, note)
    except (IdReused, UnknownTarget):
        text = _("This page was already submitted. Check the table, then confirm again.")
        return _render(request, place, seat, form.for_retry(place.table.length, form.draft), text, 409)
    if not receipt.is_applied:
        return render_needs_review(request, place.with_current_table(), receipt)
    noted = parse_uuid((receipt.data or {}).get("turn")) or form.operation
    return redirect(f"{place.get_url('table')}?done={noted}")


def _read_seat(request: HttpRequest, place: TableContext) -> int:
    word = get_request_data(request).get("seat", "")
    if not (word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS and int(word) < place.table.seats):
        raise Http404
    return int(word)


def _may_retire(place: TableContext, seat: int) -> bool:
    return seat in list_retirable_seats(place.game, place.table.state)


def _render(
    request: HttpRequest,
    place: TableContext,
    seat: int,
    form: ActionForm,
    text: str = "",
    status: int = 200,
    reason_error: str = "",
) -> HttpResponse:
    context = {
        "here": place.get_url("retire"),
        "form": form,
        "seat": seat,
        "name": place.names[seat],
        "may_retire": _may_retire(place, seat),
        "is_sealed": place.table.is_sealed,
        "reason_error": reason_error,
        "errors": [*make_page_errors([text] if text else []), *make_reason_errors(reason_error)],
    }
    return render_table_page(request, place, _("Retire"), "tables/_retire.html", context, status)
