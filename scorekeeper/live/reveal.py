"""The reveal of a result on the big screen: which rows of which contest each step shows.

Terms: each contest is revealed in *steps*. The first step shows its name and all rows below the first page. Each later
step shows the next place, from the bottom of the first page up; tied rows are shown together. Then the next contest
follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow

ROWS_PER_PAGE = 10  # rows


def count_steps(boards: Sequence[Leaderboard]) -> int:
    """Return the number of the last step; the first is 0."""
    return sum(len(_list_places(board)) + 1 for board in boards) - 1


def locate_step(boards: Sequence[Leaderboard], steps: int) -> tuple[int, tuple[LeaderboardRow, ...]]:
    """Return the position of the contest that is being revealed, and its visible rows."""
    left = steps
    for position, board in enumerate(boards):
        places = _list_places(board)
        if left <= len(places) or position == len(boards) - 1:
            hidden = {row.holder_id for place in places[: max(0, len(places) - left)] for row in place}
            return position, tuple(row for row in board.rows if row.is_ranked and row.holder_id not in hidden)
        left -= len(places) + 1
    return 0, ()


def _list_places(board: Leaderboard) -> list[list[LeaderboardRow]]:
    """Return the rows of the first page, grouped by place from the first."""
    ranked = [row for row in board.rows if row.is_ranked]
    last = ranked[ROWS_PER_PAGE - 1].rank if len(ranked) >= ROWS_PER_PAGE else None
    first_page = [row for number, row in enumerate(ranked) if number < ROWS_PER_PAGE or row.rank == last]
    return [list(place) for _rank, place in groupby(first_page, key=lambda row: row.rank)]
