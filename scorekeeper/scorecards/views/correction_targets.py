"""Helpers of the pages that correct and void: the action that a page is about, and the pages that end a correction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.fold import InvalidTurn, RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.table_fold import fold_table
from scorekeeper.scorecards.views.card_views import CARD_DAMAGED
from scorekeeper.scorecards.views.table_context import TableContext, render_table_page


def get_target_action(request: HttpRequest, table_context: TableContext) -> RecordedTurn | None:
    """Return the action a page is about; None if it no longer counts, or if the table is damaged.

    Raises:
        Http404: the request names no action.
    """
    action_id = parse_uuid(get_request_data(request).get("action"))
    if action_id is None:
        raise Http404
    return None if table_context.is_damaged else table_context.table.recorded_actions.get(action_id)


def find_invalid_action(table_context: TableContext, changes: Sequence[TurnChange]) -> InvalidTurn | None:
    """Return the first action that the rules do not allow with these changes, and why."""
    after = apply_changes(table_context.table.recorded_actions, changes, table_context.table.length + 1)
    return fold_table(table_context.table.contest, table_context.table.seats, after).invalid_action


def redirect_to_history(request: HttpRequest, table_context: TableContext, done: str, action_id: UUID) -> HttpResponse:
    """Redirect to the action in the history, with a success message."""
    messages.success(request, done)
    return redirect(table_context.get_history_url(action_id))


def render_needs_review(request: HttpRequest, table_context: TableContext, receipt: Receipt) -> HttpResponse:
    """Say that the organiser decides about the correction (409)."""
    context = {"sentences": explain_all(table_context.game.key, receipt.problems)}
    return render_table_page(
        request, table_context, _("The organiser will decide"), "scorecards/_sent_to_review.html", context, 409
    )


def render_target_gone(request: HttpRequest, table_context: TableContext, text: str = "") -> HttpResponse:
    """Say that the action can no longer be changed (409)."""
    target_gone = _("This action no longer counts. Someone has changed the table.")
    context = {"text": text or (CARD_DAMAGED if table_context.is_damaged else target_gone)}
    return render_table_page(
        request, table_context, _("The table has changed"), "scorecards/_message.html", context, 409
    )
