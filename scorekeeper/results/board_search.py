"""Searching leaderboards by what people type: `?q=` on a leaderboard, on the page of an event and on that of a bike.

Invariant: only what the leaderboard shows is searched, so nobody is found by a name that the event does not show, and
during a freeze nobody who is not on the frozen leaderboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from scorekeeper.audience.leaderboard_presenter import (
    LeaderboardPresenter,
    LeaderboardRowPresenter,
    get_leaderboard_presenter,
)
from scorekeeper.common.search_text import MAX_KEPT, MAX_SEARCHED, read_search
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.my_bike import MAX_PINNED, Pins, get_board_url, get_pin

PARAMETER = "q"
MAX_FOUND = 20  # rows of a contest


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that matches.

    Attributes:
        href: the address of the page of what the entrant played.
        pin: the id under which the entrant is pinned.
    """

    row: LeaderboardRowPresenter
    href: str
    pin: UUID


@dataclass(frozen=True, slots=True)
class FoundRows:
    """The rows of a contest that match, the best matches first.

    Attributes:
        rows: at most `MAX_FOUND`.
        count: how many match.
    """

    contest: Contest
    rows: tuple[FoundRow, ...]
    count: int


def make_search(
    request: HttpRequest, event: Event, contests: Sequence[Contest], presenter: LeaderboardPresenter | None = None
) -> dict[str, Any]:
    """Return the context `search` of `results/_search.html`.

    Args:
        contests: whose leaderboards are searched: one, or all of an event.
        presenter: of the leaderboard of the only contest, or of one of its classes, where the page has it already.
    """
    typed = request.GET.get(PARAMETER)
    text = (typed or "").strip()
    found: list[FoundRows] = []
    if text:
        boards = [presenter] if presenter else [get_leaderboard_presenter(contest) for contest in contests]
        found = [one for one in (search_board(board, text) for board in boards) if one.count]
    return {**_describe_search(event, text, found), "is_open": typed is not None, "is_of_event": presenter is None}


def _describe_search(event: Event, text: str, found: Sequence[FoundRows]) -> dict[str, Any]:
    return {
        "text": text[:MAX_KEPT],
        "found": found,
        "count": sum(one.count for one in found),
        "is_shortened": len(text) > MAX_SEARCHED,
        "most": MAX_SEARCHED,
        "shows_names": event.people_shown != Event.PeopleShown.NUMBERS,
    }


def search_board(board: LeaderboardPresenter, text: str) -> FoundRows:
    """Return the rows of a leaderboard that match what was typed."""
    searched = read_search(text)
    matches = [(searched.match(row.row.number, row.people), row) for row in board.rows]
    found = sorted(((match, row) for match, row in matches if match is not None), key=lambda one: one[0])
    rows = tuple(FoundRow(row, board.get_entrant_url(row), row.row.entrant_id) for _match, row in found[:MAX_FOUND])
    return FoundRows(board.contest, rows, len(found))


def make_entrant_context(contest: Contest, entrant_id: UUID) -> dict[str, Any]:
    """Return the context of `results/_my_bike.html` on the page of a bike or player.

    Its forms lead to the leaderboard, which a script also asks for the pinned rows.
    """
    return {
        "mine": {"pins": Pins((), are_too_many=False), "rows": (), "url": get_board_url(contest), "most": MAX_PINNED},
        "search": _describe_search(contest.event, "", []),
        "pin": get_pin(contest, entrant_id),
    }
