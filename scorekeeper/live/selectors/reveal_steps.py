"""The reveal step by step, for the page of the microphone: what each step adds to the screens.

Before the reveal has started, the steps are those that it would have if it started now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.live.selectors.screen import get_screen, list_screen_contests
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.reveal import count_steps, locate_step
from scorekeeper.standings.selectors.audience import get_organiser_view, list_revealed_snapshots, load_results

Results = Sequence[tuple[Contest, Leaderboard]]


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


def get_reveal_steps(event: Event) -> RevealSteps:
    """Return what is revealed now, or what would be, as organisers see it."""
    freeze = get_freeze(event)
    if freeze is None or freeze.step is None:
        contests = list_screen_contests(get_screen(event))
        return RevealSteps(None, [(contest, get_organiser_view(contest).get_leaderboard()) for contest in contests])
    snapshots = list_revealed_snapshots(event)
    contests = [snapshot.contest for snapshot in snapshots]
    return RevealSteps(freeze.step, list(zip(contests, load_results(snapshots), strict=True)))


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
        added = tuple(row for row in visible if row.holder_id not in shown)
        shown.update(row.holder_id for row in added)
        steps.append(RevealStep(number, contest, board, is_first, added))
    return steps
