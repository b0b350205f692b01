"""What a correction is about: one action that stands, and what would be in its way."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.fold import Change, NotedTurn, Standoff, apply_changes
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.views.doors import DAMAGED
from scorekeeper.scorecards.views.places import get_data, read_uuid
from scorekeeper.tables.fold import fold_table
from scorekeeper.tables.views.places import Place, render_place


def get_action(request: HttpRequest, place: Place) -> NotedTurn | None:
    """Return the action a page is about, or None if it no longer stands, or stands on a damaged card.

    Raises:
        Http404: no action is named.
    """
    action_id = read_uuid(get_data(request).get("action"))
    if action_id is None:
        raise Http404
    return None if place.is_damaged else place.table.noted.get(action_id)


def find_obstacle(place: Place, changes: Sequence[Change]) -> Standoff | None:
    """Return the first action that could not stand with these changes, and why."""
    after = apply_changes(place.table.noted, changes, place.table.length + 1)
    return fold_table(place.table.contest, place.table.seats, after).standoff


def go_back(request: HttpRequest, place: Place, done: str, action_id: UUID) -> HttpResponse:
    """Go back to where the action stands in the history, with the good news."""
    messages.success(request, done)
    return redirect(place.history_at(action_id))


def show_kept(request: HttpRequest, place: Place, receipt: Receipt) -> HttpResponse:
    """Say that the organiser decides about what was sent (409)."""
    context = {"sentences": explain_all(place.game.key, receipt.problems)}
    return render_place(request, place, _("The organiser decides"), "scorecards/_kept.html", context, 409)


def show_gone(request: HttpRequest, place: Place, text: str = "") -> HttpResponse:
    """Say that the action is no longer there to be changed (409)."""
    stands_no_longer = _("This action stands no longer; somebody has changed the table.")
    context = {"text": text or (DAMAGED if place.is_damaged else stands_no_longer)}
    return render_place(request, place, _("The table has changed"), "scorecards/_gone.html", context, 409)
