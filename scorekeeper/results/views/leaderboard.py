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
from scorekeeper.results.addresses import get_holder_url, get_public_contest, list_crumbs
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.standings.board import BoardRow
from scorekeeper.standings.headings import get_headings, say_how_far
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.wording import say_note, say_official, say_pending, say_time


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as the page shows it."""

    row: BoardRow
    href: str
    people: str
    note: str
    how_far: str
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
    people = get_public_riders(contest.event)
    return {
        "event": contest.event,
        "contest": contest,
        "crumbs": list_crumbs(contest),
        "board": board,
        "headings": get_headings(contest),
        "rows": [_show(row, people.get(row.holder_id, ""), contest, board.turns) for row in board.rows],
        "official": say_official(board, contest.event),
        "pending": say_pending(board),
    }


def _show(row: BoardRow, people: str, contest: Contest, turns: int) -> ShownRow:
    return ShownRow(
        row,
        href=get_holder_url(contest, row.holder_id),
        people=people,
        note=say_note(row, contest.game),
        how_far=say_how_far(row, contest, turns),
        changed="" if row.last_change is None else say_time(row.last_change, contest.event),
    )


def _get_digest(context: dict[str, Any]) -> str:
    """Return one word for everything the fragment shows: figures, names, and how official they are."""
    rows: Sequence[ShownRow] = context["rows"]
    shown = [[row.row.to_data(), row.people, row.note, row.how_far, row.changed] for row in rows]
    return sha256(canonical_json([context["contest"].name, context["official"], context["pending"], shown]))
