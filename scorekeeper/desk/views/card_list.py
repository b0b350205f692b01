"""The list of an event's cards, with links to their histories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.standings.column_headings import format_progress, get_standings_headings
from scorekeeper.standings.selectors.holder_names import get_full_names
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.tables.selectors.tables import list_tables_by_holder


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the current cards of each contest, best first."""
    people = get_full_names(event)
    contests = [_present_contest(event, contest, people) for contest in list_contests(event)]
    return render(request, "desk/cards.html", {"event": event, "contests": contests})


def _present_contest(event: Event, contest: Contest, people: Mapping[UUID, str]) -> dict[str, Any]:
    board = get_live_leaderboard(contest)
    at_tables = contest.is_table_game
    tables = list_tables_by_holder(contest.pk) if at_tables else {}
    rows = [
        {
            "row": row,
            "people": people.get(row.holder_id, ""),
            "progress": format_progress(row, contest, board.turns_per_card),
            "card_id": None if at_tables else derive_card_id(contest.pk, row.holder_id),
            "tables": tables.get(row.holder_id, ()),
        }
        for row in board.rows
    ]
    return {"contest": contest, "headings": get_standings_headings(contest), "at_tables": at_tables, "rows": rows}
