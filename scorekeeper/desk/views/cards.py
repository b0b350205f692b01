"""The cards of an event, each leading to its history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.played import card_id_for
from scorekeeper.standings.headings import get_headings, say_how_far
from scorekeeper.standings.selectors.leaderboard import get_live_board
from scorekeeper.standings.selectors.people import get_riders
from scorekeeper.tables.selectors.folding import list_tables_by_holder


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the cards of each contest as they stand now, best first."""
    people = get_riders(event)
    shown = [_show(event, contest, people) for contest in list_contests(event)]
    return render(request, "desk/cards.html", {"event": event, "contests": shown})


def _show(event: Event, contest: Contest, people: Mapping[UUID, str]) -> dict[str, Any]:
    board = get_live_board(contest)
    at_tables = contest.is_at_tables
    tables = list_tables_by_holder(contest.pk) if at_tables else {}
    rows = [
        {
            "row": row,
            "people": people.get(row.holder_id, ""),
            "how_far": say_how_far(row, contest, board.turns),
            "card_id": None if at_tables else card_id_for(contest.pk, row.holder_id),
            "tables": tables.get(row.holder_id, ()),
        }
        for row in board.rows
    ]
    return {"contest": contest, "headings": get_headings(contest), "at_tables": at_tables, "rows": rows}
