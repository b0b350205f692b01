"""Reads what a reveal has announced so far, and its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from scorekeeper.audience.visible_standings import get_organiser_view
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.standings.board_data import load_board
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.reveal import (
    WHOLE_RESULT,
    count_steps,
    list_revealed_from,
    locate_step,
)

Results = Sequence[tuple[Contest, Leaderboard]]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The state of a reveal.

    Attributes:
        step, last_step: the current step, and the number of the last one.
        contest: the contest that is being revealed; None if there is none.
        board: the announced rows of its result, and with the last of them its groups.
    """

    step: int
    last_step: int
    contest: Contest | None
    board: Leaderboard | None


def get_reveal(event: Event) -> Reveal | None:
    """Return what is being revealed; None while nothing is."""
    freeze = get_freeze(event)
    if freeze is None or freeze.step is None:
        return None
    snapshots = list_revealed_snapshots(event)
    boards = load_results(snapshots)
    if not boards:
        return Reveal(freeze.step, 0, None, None)
    position, rows = locate_step(boards, freeze.step)
    result = boards[position]
    is_complete = list_revealed_from(boards, freeze.step)[position] == WHOLE_RESULT
    # Groups are made of all rows, so they are shown with the last one.
    board = replace(result, rows=rows, groups=result.groups if is_complete else None)
    return Reveal(freeze.step, count_steps(boards), snapshots[position].contest, board)


def list_revealed_snapshots(event: Event) -> list[FrozenStandings]:
    """Return the snapshots of the contests that are part of the reveal, in its order."""
    snapshots = FrozenStandings.objects.filter(contest__event=event, position__isnull=False)
    return list(snapshots.defer("board", "cards", "result_cards").select_related("contest__event").order_by("position"))


def load_results(snapshots: Iterable[FrozenStandings]) -> list[Leaderboard]:
    """Return the results that these snapshots announce."""
    return [load_board(one.result_board) for one in snapshots if one.result_board is not None]


@dataclass(frozen=True, slots=True)
class RevealSteps:
    """The results that are revealed, and how far the reveal has come.

    Attributes:
        step: the current step; None before the reveal has started, and after it has ended.
        results: each contest with its result, in the order of the reveal.
    """

    step: int | None
    results: Results

    def get_digest(self) -> str:
        """Return a digest of what is revealed. The steps of a reveal with another digest mean something else."""
        results = [[str(contest.pk), [row.to_data() for row in board.rows]] for contest, board in self.results]
        return sha256(canonical_json(results))


@dataclass(frozen=True, slots=True)
class RevealStep:
    """What one step adds to the screens.

    Attributes:
        is_first: whether it opens the contest: its rows are those below the first page.
        rows: the rows that it adds, the best first.
    """

    number: int
    contest: Contest
    board: Leaderboard
    is_first: bool
    rows: tuple[LeaderboardRow, ...]


def get_reveal_steps(event: Event, contests: Iterable[Contest]) -> RevealSteps:
    """Return what is revealed now, or what would be, as organisers see it.

    Args:
        contests: those that a reveal would show if it started now, in its order.
    """
    freeze = get_freeze(event)
    if freeze is None or freeze.step is None:
        return RevealSteps(None, [(contest, get_organiser_view(contest).get_leaderboard()) for contest in contests])
    snapshots = list_revealed_snapshots(event)
    frozen = [snapshot.contest for snapshot in snapshots]
    return RevealSteps(freeze.step, list(zip(frozen, load_results(snapshots), strict=True)))


def list_reveal_steps(results: Results) -> list[RevealStep]:
    """Return every step of a reveal, in order."""
    boards = [board for _contest, board in results]
    steps: list[RevealStep] = []
    last_position, shown = -1, set[UUID]()
    for number in range(count_steps(boards) + 1):
        position, visible = locate_step(boards, number)
        is_first = position != last_position
        if is_first:
            last_position, shown = position, set()
        contest, board = results[position]
        added = tuple(row for row in visible if row.entrant_id not in shown)
        shown.update(row.entrant_id for row in added)
        steps.append(RevealStep(number, contest, board, is_first, added))
    return steps
