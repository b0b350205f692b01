"""Retiring: a bike leaves the ride, or a seat leaves its table. The points are kept, below all who stayed (TABLE-3).

A bike can be brought back. A seat comes back when the action that retired it is voided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.actions import Retire
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.offers import list_retirable_seats
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import make_page_errors, make_reason_errors, render_page
from scorekeeper.scorecards.views.responses import render_changed, render_outcome, render_sent_to_review
from scorekeeper.scorecards.views.table_context import TableContext

BACK_FIELD = "back"  # asks to bring a bike back; its value is the sequence number of the retirement shown
TEMPLATE = "scorecards/_retire.html"
MAX_DIGITS = 4  # of a seat's index


def retire(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask for the reason, then retire the bike, or bring a retired bike back: its road captain or the organiser may."""
    if not card_context.can_retire:
        text = _("Only the road captain of the bike’s group or the organiser can do this. Ask one of them.")
        title = _("Retire from the ride")
        return render_page(request, card_context, title, "scorecards/_message.html", {"text": text}, 403)
    retirement = card_context.card.get_turn(None)
    if retirement is not None:
        return _bring_back(request, card_context, retirement)
    if BACK_FIELD in request.POST:
        return render_changed(request, card_context, _("This bike is already back in the ride."))

    def save(operation: UUID, reason: str) -> Receipt:
        return retire_bike(card_context.actor, operation, card_context.contest.pk, card_context.bike.pk, reason)

    form = CorrectionReasonForm(request.POST or None)
    done = drop_double_stop(_("Retired: %(bike)s.") % {"bike": card_context.name})
    question = {
        "heading": _("Retire bike %(number)s?") % {"number": card_context.bike.label},
        "text": _("Its points are kept, but it ranks below every bike still in the ride. Turns not played stay open."),
        "label": _("Retire this bike"),
    }
    return _save_or_ask(request, card_context, form, save, done, {"title": _("Retire from the ride"), **question})


def _bring_back(request: HttpRequest, card_context: CardContext, retirement: RecordedTurn) -> HttpResponse:
    form = CorrectionReasonForm(request.POST if BACK_FIELD in request.POST else None)
    if form.is_valid() and request.POST[BACK_FIELD] != str(retirement.seq):
        text = _("The scorecard has changed since you opened this page. Open it again.")
        return render_changed(request, card_context, text)

    def save(operation: UUID, reason: str) -> Receipt:
        return card_context.amend(operation, [CorrectionTarget(retirement.id, retirement.seq, None)], reason)

    done = drop_double_stop(_("Returned to the ride: %(bike)s.") % {"bike": card_context.name})
    question = {
        "heading": _("Bring bike %(number)s back?") % {"number": card_context.bike.label},
        "text": _(
            "This bike has already retired. If that was a mistake, or it has come back, it can return: it ranks by its "
            "points again, and everything recorded is kept."
        ),
        "label": _("Return to the ride"),
        "hidden": {BACK_FIELD: retirement.seq},
    }
    return _save_or_ask(request, card_context, form, save, done, {"title": _("Return to the ride"), **question})


def _save_or_ask(
    request: HttpRequest,
    card_context: CardContext,
    form: CorrectionReasonForm,
    save: Callable[[UUID, str], Receipt],
    done: str,
    question: dict[str, Any],
) -> HttpResponse:
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            return render_outcome(request, card_context, save(operation, reason), done)
        except IdReused:
            form, status = form.for_retry(), 409
    context = {"form": form, "cancel_url": card_context.get_history_url(), **question}
    return render_page(request, card_context, question["title"], TEMPLATE, context, status)


def retire_seat(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Ask whether the seat retires, in or out of turn, then record it."""
    seat = _read_seat(request, table_context)
    form = ActionForm.from_data(get_request_data(request), table_context.table.length)
    if request.method != "POST":
        return _ask_seat(request, table_context, seat, form)
    if _may_retire(table_context, seat) and form.seen_length != table_context.table.length:
        text = _("The table has changed since you opened this page. Check it, then confirm again.")
        form = form.for_retry(table_context.table.length, form.draft)
        return _ask_seat(request, table_context, seat, form, text, 409)
    if table_context.is_sealed and not form.reason:
        why = _("The contest is closed. Enter a reason for recording this anyway.")
        return _ask_seat(request, table_context, seat, form, status=422, reason_error=why)
    if not table_context.may_record:
        return _ask_seat(request, table_context, seat, form, _("Nothing can be recorded at this table now."), 422)
    new_action = NewAction(table_context.table.id, form.seen_length, [{"seat": seat, "type": Retire.type}], form.reason)
    try:
        receipt = record_action(table_context.actor, form.operation, new_action)
    except (IdReused, UnknownTarget):
        text = _("This page was already submitted. Check the table, then confirm again.")
        form = form.for_retry(table_context.table.length, form.draft)
        return _ask_seat(request, table_context, seat, form, text, 409)
    if not receipt.is_applied:
        return render_sent_to_review(request, table_context.reload(), receipt)
    action_id = parse_uuid((receipt.data or {}).get("turn")) or form.operation
    return redirect(table_context.get_url("table", done=action_id))


def _read_seat(request: HttpRequest, table_context: TableContext) -> int:
    word = get_request_data(request).get("seat", "")
    if not (
        word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS and int(word) < table_context.table.seat_count
    ):
        raise Http404
    return int(word)


def _may_retire(table_context: TableContext, seat: int) -> bool:
    return seat in list_retirable_seats(table_context.game, table_context.table.state)


def _ask_seat(
    request: HttpRequest,
    table_context: TableContext,
    seat: int,
    form: ActionForm,
    text: str = "",
    status: int = 200,
    reason_error: str = "",
) -> HttpResponse:
    name = {"name": table_context.names[seat]}
    context = {
        "heading": _("Retire %(name)s?") % name,
        "text": _("Points are kept, but rank below everyone still playing. The seat is skipped from now on."),
        "label": _("Retire %(name)s") % name,
        "hidden": {"operation": form.operation, "seen": form.seen_length, "seat": seat},
        "needs_reason": table_context.is_sealed,
        "reason": form.reason,
        "reason_error": reason_error,
        "errors": [*make_page_errors([text] if text else []), *make_reason_errors(reason_error)],
        "cancel_url": table_context.get_url("table"),
    }
    if not _may_retire(table_context, seat):
        context["refusal"] = _("%(name)s cannot retire: the seat has already retired or finished.") % name
    return render_page(request, table_context, _("Retire"), TEMPLATE, context, status)
