"""The leaderboard. The same view gives the page, and the board alone to a page that refreshes itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from scorekeeper.events.models import Contest
from scorekeeper.results.addresses import get_public_contest, list_crumbs
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.standings.board import Board, BoardRow
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.wording import say_note, say_official, say_pending, say_time


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as the page shows it."""

    row: BoardRow
    riders: str
    note: str
    changed: str


@require_safe
def leaderboard(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Show the leaderboard of a contest."""
    contest = get_public_contest(slug, contest_slug)
    context = _get_context(contest)
    if not request.headers.get("HX-Request"):
        response = render(request, "results/leaderboard.html", context)
    else:
        # What nobody has changed is neither rendered nor sent again.
        etag = f'"{_get_digest(context)}"'
        unchanged = get_conditional_response(request, etag=etag)
        response = unchanged or render(request, "results/_board.html", context)
        response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _get_context(contest: Contest) -> dict[str, Any]:
    board = get_leaderboard(contest)
    riders = get_public_riders(contest.event)
    return {
        "event": contest.event,
        "contest": contest,
        "crumbs": list_crumbs(contest),
        "board": board,
        "rows": [_show(row, riders.get(row.holder_id, ""), contest) for row in board.rows],
        "official": say_official(board, contest.event),
        "pending": say_pending(board),
    }


def _show(row: BoardRow, riders: str, contest: Contest) -> ShownRow:
    changed = "" if row.last_change is None else say_time(row.last_change, contest.event)
    return ShownRow(row, riders, say_note(row), changed)


def _get_digest(context: dict[str, Any]) -> str:
    """Return one word for everything the fragment shows: figures, names, and how official they are."""
    board: Board = context["board"]
    rows: Sequence[ShownRow] = context["rows"]
    shown = [[row.row.to_data(), row.riders, row.note, row.changed] for row in rows]
    return sha256(
        canonical_json([context["contest"].name, board.turns, context["official"], context["pending"], shown])
    )
