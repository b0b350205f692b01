"""The cards of an event, each leading to its history."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.played import card_id_for
from scorekeeper.standings.board import Board, BoardRow
from scorekeeper.standings.selectors.leaderboard import get_live_board
from scorekeeper.standings.selectors.people import get_riders


@organiser_required
@require_safe
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the cards of each contest as they stand now, best first; tables have lists of their own."""
    riders = get_riders(event)
    contests: list[tuple[Contest, Board | None, list[tuple[BoardRow, str, UUID]]]] = []
    for contest in list_contests(event):
        if contest.is_at_tables:
            contests.append((contest, None, []))
            continue
        board = get_live_board(contest)
        rows = [(row, riders.get(row.holder_id, ""), card_id_for(contest.pk, row.holder_id)) for row in board.rows]
        contests.append((contest, board, rows))
    return render(request, "desk/cards.html", {"event": event, "contests": contests})
