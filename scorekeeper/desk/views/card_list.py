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
from scorekeeper.players.selectors.holder_names import get_full_names
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.column_headings import format_progress, get_standings_headings
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the current cards of each contest, best first."""
    people = get_full_names(event)
    contests = [_present_contest(event, contest, people) for contest in list_contests(event)]
    return render(request, "desk/cards.html", {"event": event, "contests": contests})


def _present_contest(event: Event, contest: Contest, people: Mapping[UUID, str]) -> dict[str, Any]:
    board = get_live_leaderboard(contest)
    kind = get_kind(contest.game)
    cards = kind.list_cards(contest, [row.holder_id for row in board.rows])
    rows = [
        {
            "row": row,
            "people": people.get(row.holder_id, ""),
            "progress": format_progress(row, contest, board.turns_per_card),
            "cards": cards.get(row.holder_id, ()),
        }
        for row in board.rows
    ]
    headings = get_standings_headings(contest)
    return {"contest": contest, "headings": headings, "cards_heading": kind.wording.cards, "rows": rows}
