"""What a correction is about: one action that stands, and what would be in its way."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import InvalidTurn, RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.views.card_context import get_request_data, parse_uuid
from scorekeeper.scorecards.views.card_views import CARD_DAMAGED
from scorekeeper.tables.fold import fold_table
from scorekeeper.tables.views.table_context import TableContext, render_table_page


def get_target_action(request: HttpRequest, place: TableContext) -> RecordedTurn | None:
    """Return the action a page is about, or None if it no longer stands, or stands on a damaged card.

    Raises:
        Http404: no action is named.
    """
    action_id = parse_uuid(get_request_data(request).get("action"))
    if action_id is None:
        raise Http404
    return None if place.is_damaged else place.table.recorded_actions.get(action_id)


def find_invalid_action(place: TableContext, changes: Sequence[TurnChange]) -> InvalidTurn | None:
    """Return the first action that could not stand with these changes, and why."""
    after = apply_changes(place.table.recorded_actions, changes, place.table.length + 1)
    return fold_table(place.table.contest, place.table.seats, after).invalid_action


def redirect_to_history(request: HttpRequest, place: TableContext, done: str, action_id: UUID) -> HttpResponse:
    """Go back to where the action stands in the history, with the good news."""
    messages.success(request, done)
    return redirect(place.get_history_url(action_id))


def render_needs_review(request: HttpRequest, place: TableContext, receipt: Receipt) -> HttpResponse:
    """Say that the organiser decides about what was sent (409)."""
    context = {"sentences": explain_all(place.game.key, receipt.problems)}
    return render_table_page(
        request, place, _("The organiser will decide"), "scorecards/_sent_to_review.html", context, 409
    )


def render_target_gone(request: HttpRequest, place: TableContext, text: str = "") -> HttpResponse:
    """Say that the action is no longer there to be changed (409)."""
    stands_no_longer = _("This action no longer counts. Someone has changed the table.")
    context = {"text": text or (CARD_DAMAGED if place.is_damaged else stands_no_longer)}
    return render_table_page(request, place, _("The table has changed"), "scorecards/_message.html", context, 409)
