"""The reveal of a result: which rows of which contest each step announces, and what the audience sees in between.

Terms: each contest is revealed in *steps*. The first step shows its name and all rows below the first page. Each later
step shows the next place, from the bottom of the first page up; tied rows are shown together. Then the next contest
follows. What a step has shown is *announced*; all other rows are *withheld*, and keep the figures of the freeze.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from uuid import UUID

from scorekeeper.standings.contest_report import CardReport
from scorekeeper.standings.leaderboard import CountedCut, Leaderboard, LeaderboardRow

ROWS_PER_PAGE = 10  # rows
WHOLE_RESULT = 1  # the first place is announced last, so with it everything is


def count_steps(boards: Sequence[Leaderboard]) -> int:
    """Return the number of the last step; the first is 0."""
    return sum(len(_list_places(board)) + 1 for board in boards) - 1


def locate_step(boards: Sequence[Leaderboard], steps: int) -> tuple[int, tuple[LeaderboardRow, ...]]:
    """Return the position of the contest that is being revealed, and its visible rows."""
    left = steps
    for position, board in enumerate(boards):
        places = _list_places(board)
        if left <= len(places) or position == len(boards) - 1:
            hidden = {row.entrant_id for place in places[: max(0, len(places) - left)] for row in place}
            return position, tuple(row for row in board.rows if row.is_ranked and row.entrant_id not in hidden)
        left -= len(places) + 1
    return 0, ()


def list_revealed_from(boards: Sequence[Leaderboard], steps: int) -> list[int | None]:
    """Return for each contest from which rank down its rows are announced at a step; None for no row yet."""
    position, rows = locate_step(boards, steps)
    current = min((row.rank for row in rows if row.rank is not None), default=None)
    return [
        WHOLE_RESULT if number < position else current if number == position else None for number in range(len(boards))
    ]


def list_announced(result: Leaderboard, revealed_from: int) -> tuple[LeaderboardRow, ...]:
    """Return the rows of a result that are announced."""
    return tuple(row for row in result.rows if row.rank is not None and row.rank >= revealed_from)


def merge_boards(frozen: Leaderboard, result: Leaderboard | None, revealed_from: int | None) -> Leaderboard:
    """Return what the audience sees: announced rows as in the result, and the other rows as they were frozen.

    Withheld rows come first: the last place is announced first. Who had not started at the freeze comes last. There are
    neither groups nor classes until everything is announced.
    """
    if result is None or revealed_from is None:
        return frozen
    if revealed_from == WHOLE_RESULT:
        return replace(result, frozen_at=None)
    announced = list_announced(result, revealed_from)
    entrants = frozenset(row.entrant_id for row in announced)
    withheld = [replace(row, is_withheld=True) for row in frozen.rows if row.entrant_id not in entrants]
    rows = (
        *(row for row in withheld if row.is_ranked),
        *announced,
        *(row for row in withheld if not row.is_ranked),
    )
    # Groups and the places of classes are made of all rows, so they would tell the places that are still withheld.
    return replace(
        frozen,
        rows=rows,
        is_being_revealed=True,
        groups=None,
        classes=(),
        cuts=_merge_cuts(frozen, result, entrants),
        missed_turns={
            row.entrant_id: board.missed_turns[row.entrant_id]
            for board, part in ((frozen, withheld), (result, announced))
            for row in part
            if row.entrant_id in board.missed_turns
        },
    )


def merge_cards(
    frozen: Sequence[CardReport], result: Sequence[CardReport], announced: Collection[UUID]
) -> tuple[CardReport, ...]:
    """Return the cards that the audience sees, those as they were frozen first.

    A card is shown as in the result once every entrant who has a seat at it is announced: a table's score sheet has
    the figures of all its seats.

    Args:
        announced: the entrants whose place is announced.
    """
    public = {
        card for card, parts in _group_by_card(result).items() if all(one.entrant_id in announced for one in parts)
    }
    return (
        *(part for part in frozen if part.card_id not in public),
        *(part for part in result if part.card_id in public),
    )


def _merge_cuts(frozen: Leaderboard, result: Leaderboard, announced: frozenset[UUID]) -> tuple[CountedCut, ...]:
    """Return the cuts of the result among announced entrants, and those of the freeze among withheld ones."""
    return (
        *(cut for cut in frozen.cuts if announced.isdisjoint(cut.entrants)),
        *(cut for cut in result.cuts if announced.issuperset(cut.entrants)),
    )


def _group_by_card(parts: Sequence[CardReport]) -> Mapping[UUID, list[CardReport]]:
    by_card: dict[UUID, list[CardReport]] = defaultdict(list)
    for part in parts:
        by_card[part.card_id].append(part)
    return by_card


def _list_places(board: Leaderboard) -> list[list[LeaderboardRow]]:
    """Return the rows of the first page, grouped by place from the first."""
    ranked = [row for row in board.rows if row.is_ranked]
    last = ranked[ROWS_PER_PAGE - 1].rank if len(ranked) >= ROWS_PER_PAGE else None
    first_page = [row for number, row in enumerate(ranked) if number < ROWS_PER_PAGE or row.rank == last]
    return [list(place) for _rank, place in groupby(first_page, key=lambda row: row.rank)]
