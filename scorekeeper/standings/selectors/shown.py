"""A leaderboard in words, as it is shown: the same rows on the page, in the stream and on the screen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

from django.template.loader import get_template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.canonical import sha256
from scorekeeper.standings.board import Board, BoardRow
from scorekeeper.standings.headings import Headings, get_headings, say_how_far
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.wording import say_note, say_official, say_pending, say_place, say_time

NOBODY = UUID(int=0)
SOMEWHERE = 1  # a place
KEPT = 10_000  # rows in words, and as many as they are drawn: of a long board most are shown again as they were


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the leaderboard.

    Attributes:
        people: who it is, as the event shows people.
        href: the address of what the holder played, as seen from the leaderboard's own.
        order: what a page sorts the rows by, as text whose numbers are compared as numbers.
    """

    row: BoardRow
    href: str
    people: str
    note: str
    how_far: str
    changed: str
    order: str

    @property
    def place(self) -> str:
        """The place in a sentence, "Bike 12 is now 3rd"; "" for a holder that has not begun."""
        return say_place(self.row, self.people)


@dataclass(frozen=True)
class ShownBoard:
    """A leaderboard with everything that is said about it.

    Attributes:
        official: how official the figures are, and as of when.
        pending: that another revision is pending; "" where none is.
    """

    contest: Contest
    board: Board
    headings: Headings
    rows: tuple[ShownRow, ...]
    official: str
    pending: str

    @cached_property
    def drawn(self) -> tuple[SafeString, ...]:
        """The rows as they stand in the page."""
        language = get_language()
        return tuple(_draw(row, self.headings, language) for row in self.rows)

    @cached_property
    def told(self) -> tuple[SafeString, ...]:
        """The rows as they are sent to a page that is open, each with the sentence for whoever cannot see it move."""
        language = get_language()
        return tuple(_tell(shown, drawn, language) for shown, drawn in zip(self.rows, self.drawn, strict=True))

    def get_digest(self) -> str:
        """Return one word for everything that is shown: figures, names, and how official they are."""
        return sha256("\n".join([self.contest.name, self.official, self.pending, *self.drawn]))

    def to_context(self) -> dict[str, Any]:
        """Return what `standings/_board.html` is made of."""
        return {
            "event": self.contest.event,
            "contest": self.contest,
            "board": self.board,
            "headings": self.headings,
            "rows": self.rows,
            "drawn": self.drawn,
            "official": self.official,
            "pending": self.pending,
        }


def get_shown_board(contest: Contest) -> ShownBoard:
    """Return the leaderboard of a contest as the public sees it; a fixed number of statements."""
    board = get_leaderboard(contest)
    return ShownBoard(
        contest,
        board,
        get_headings(contest),
        show_rows(contest, board, get_public_riders(contest.event)),
        official=say_official(board, contest.event),
        pending=say_pending(board),
    )


@dataclass(frozen=True)
class _Frame:
    """What the words of every row depend on. `contest` is not compared: `key` tells all of it that matters.

    Attributes:
        href: the address of what nobody played, as seen from the leaderboard's own.
    """

    key: tuple[object, ...]
    turns: int
    href: str
    contest: Contest = field(compare=False)


def show_rows(contest: Contest, board: Board, people: Mapping[UUID, str]) -> tuple[ShownRow, ...]:
    """Return the rows of a board in words.

    Args:
        people: who is behind each bike or player.
    """
    event = contest.event
    key = (event.slug, contest.slug, contest.game_key, event.time_zone, event.date, get_language())
    leaderboard = reverse("results:leaderboard", args=[event.slug, contest.slug])
    frame = _Frame(key, board.turns, get_holder_url(contest, NOBODY).removeprefix(leaderboard), contest)
    return tuple(
        _show(row, _get_order(row, position), frame, people.get(row.holder_id, ""))
        for position, row in enumerate(board.rows, 1)
    )


def get_holder_url(contest: Contest, holder_id: UUID) -> str:
    """Return the address of what somebody in a contest played: the card of a bike, or the tables they sat at."""
    page = "bike" if contest.game.recorded_by == "turn" else "seats"
    return reverse(f"results:{page}", args=[contest.event.slug, contest.slug, holder_id])


@lru_cache(maxsize=KEPT)
def _show(row: BoardRow, order: str, frame: _Frame, people: str) -> ShownRow:
    return replace(_show_anywhere(_without_place(row), frame, people), row=row, order=order)


@lru_cache(maxsize=KEPT)
def _show_anywhere(row: BoardRow, frame: _Frame, people: str) -> ShownRow:
    contest = frame.contest
    return ShownRow(
        row,
        href=frame.href.replace(str(NOBODY), str(row.holder_id)),
        people=people,
        note=say_note(row, contest.game),
        how_far=say_how_far(row, contest, frame.turns),
        changed="" if row.last_change is None else say_time(row.last_change, contest.event),
        order="",
    )


@lru_cache(maxsize=KEPT)
def _draw(shown: ShownRow, headings: Headings, language: str | None) -> SafeString:
    row = shown.row
    cells = _draw_cells(replace(shown, row=_without_place(row), order=""), headings, language)
    first = mark_safe(' class="is-first"') if row.rank == 1 else ""
    opening = '<tr id="row-{}"{} data-order="{}"><td>{}</td>{}</tr>'
    return format_html(opening, row.holder_id, first, shown.order, row.rank_label, cells)


@lru_cache(maxsize=KEPT)
def _draw_cells(shown: ShownRow, headings: Headings, language: str | None) -> SafeString:
    drawn = get_template("standings/_cells.html").render({"shown": shown, "headings": headings})
    # A template's indentation would be a third of a long board.
    return mark_safe(re.sub(r"\s+(?=<)|(?<=>)\s+|\s+(?=>)", "", drawn))  # noqa: S308 - it comes from the template


def _without_place(row: BoardRow) -> BoardRow:
    """Return the row at no particular place: one roll moves a thousand others, of which nothing else changes."""
    return row if row.rank is None else replace(row, rank=SOMEWHERE)


@lru_cache(maxsize=KEPT)
def _tell(shown: ShownRow, drawn: SafeString, language: str | None) -> SafeString:
    return mark_safe(drawn.replace("<tr ", format_html('<tr data-place="{}" ', shown.place), 1))  # noqa: S308 - as above


def _get_order(row: BoardRow, position: int) -> str:
    """Return a text that sorts as the rows stand: by place, then bikes by their number, and who has not begun last.

    Where a number tells, the position does not, so that a row need not be shown anew whenever another one passes it
    without changing its place.
    """
    return f"{row.rank or 'none'}.{row.number or position}"
