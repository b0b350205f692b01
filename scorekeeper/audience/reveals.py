"""Reads what a reveal announces, and how far it has come.

Terms: the *announcements* of a reveal are its steps as people see them: each is a place, or a prize that is for no
place. `standings.reveal` counts *places* only, and decides by them what is public.

Invariant: an announcement contains ids and figures, and no names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import UUID

from scorekeeper.audience.visible_standings import get_organiser_view
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.standings.board_data import load_board
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.models import FrozenStandings, PrizeGiving
from scorekeeper.standings.reveal import (
    WHOLE_RESULT,
    count_steps,
    list_revealed_from,
    locate_step,
)

Results = Sequence[tuple[Contest, Leaderboard]]


@dataclass(frozen=True, slots=True)
class AnnouncedAward:
    """A prize that an announcement names, as it was when the reveal started, or when the organiser decided it since.

    Attributes:
        award: as a revision stores it (`scorekeeper.prizes.award`).
        decision_id: the operation with the organiser's decision; None if figures decided.
    """

    contest_id: UUID
    award: Mapping[str, Any]
    decision_id: UUID | None = None

    @property
    def prize_id(self) -> UUID:
        """The id of the prize."""
        return UUID(self.award["prize"])

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        decision = None if self.decision_id is None else str(self.decision_id)
        return {"contest": str(self.contest_id), "award": dict(self.award), "decision": decision}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return it from plain data."""
        return cls(UUID(data["contest"]), data["award"], UUID(data["decision"]) if data["decision"] else None)


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is announced at one step.

    Attributes:
        places: the step of places that is public with it (`standings.reveal`); None before the first.
        is_place: whether it announces that step of places. Otherwise it is a prize that is for no place.
        awards: the prizes for the place, or the one prize.
    """

    places: int | None
    is_place: bool = True
    awards: tuple[AnnouncedAward, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "places": self.places,
            "is_place": self.is_place,
            "awards": [award.to_data() for award in self.awards],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return it from plain data."""
        return cls(data["places"], data["is_place"], tuple(map(AnnouncedAward.from_data, data["awards"])))


# Makes the announcements of an event from its results.
Arrange = Callable[[Event, Results], Sequence[Announcement]]


def announce_places(event: Event, results: Results) -> Sequence[Announcement]:
    """Return the announcements of a reveal without prizes."""
    return [Announcement(places) for places in range(count_steps([board for _contest, board in results]) + 1)]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The state of a reveal.

    Attributes:
        step, last_step: the position of the current announcement, and of the last one.
        contest: the contest that is being revealed; None if there is none.
        board: the announced rows of its result, and with the last of them its groups.
        steps: all announcements, with the results.
    """

    step: int
    last_step: int
    contest: Contest | None
    board: Leaderboard | None
    steps: RevealSteps

    @property
    def announcement(self) -> Announcement | None:
        """The current announcement; None if there is nothing to announce."""
        announcements = self.steps.announcements
        return announcements[self.step] if self.step < len(announcements) else None


def get_reveal(event: Event) -> Reveal | None:
    """Return what is being revealed; None while nothing is."""
    steps = get_running_reveal(event)
    if steps is None or steps.step is None:
        return None
    last = max(0, len(steps.announcements) - 1)
    places = steps.announcements[steps.step].places if steps.announcements else None
    boards = [board for _contest, board in steps.results]
    if places is None or not boards:
        return Reveal(steps.step, last, None, None, steps)
    position, rows = locate_step(boards, places)
    result = boards[position]
    is_complete = list_revealed_from(boards, places)[position] == WHOLE_RESULT
    # Groups are made of all rows, so they are shown with the last one.
    board = replace(result, rows=rows, groups=result.groups if is_complete else None)
    return Reveal(steps.step, last, steps.results[position][0], board, steps)


def list_revealed_snapshots(event: Event) -> list[FrozenStandings]:
    """Return the snapshots of the contests that are part of the reveal, in its order."""
    snapshots = FrozenStandings.objects.filter(contest__event=event, position__isnull=False)
    return list(snapshots.defer("board", "cards", "result_cards").select_related("contest__event").order_by("position"))


def load_results(snapshots: Iterable[FrozenStandings]) -> list[Leaderboard]:
    """Return the results that these snapshots announce."""
    return [load_board(one.result_board) for one in snapshots if one.result_board is not None]


@dataclass(frozen=True, slots=True)
class RevealSteps:
    """The results and prizes that are announced, and how far the reveal has come.

    Attributes:
        step: the position of the current announcement; None before the reveal has started, and after it has ended.
        results: each contest with its result, in the order of the reveal.
    """

    step: int | None
    results: Results
    announcements: Sequence[Announcement] = field(default_factory=tuple)

    def get_digest(self) -> str:
        """Return a digest of what is revealed. The steps of a reveal with another digest mean something else."""
        results = [[str(contest.pk), [row.to_data() for row in board.rows]] for contest, board in self.results]
        return sha256(canonical_json([results, [one.to_data() for one in self.announcements]]))


@dataclass(frozen=True, slots=True)
class RevealStep:
    """What one step of places adds to the screens.

    Attributes:
        is_first: whether it opens the contest: its rows are those below the first page.
        rows: the rows that it adds, the best first.
    """

    number: int
    contest: Contest
    board: Leaderboard
    is_first: bool
    rows: tuple[LeaderboardRow, ...]


def get_running_reveal(event: Event) -> RevealSteps | None:
    """Return what is revealed now; None while nothing is."""
    freeze, giving = get_freeze(event), PrizeGiving.objects.filter(event=event).first()
    if freeze is None or (giving is None and freeze.step is None):
        return None
    snapshots = list_revealed_snapshots(event)
    results = list(zip([snapshot.contest for snapshot in snapshots], load_results(snapshots), strict=True))
    if giving is None:  # an older version of the program started it
        return RevealSteps(freeze.step, results, announce_places(event, results))
    return RevealSteps(giving.position, results, tuple(map(Announcement.from_data, giving.announcements)))


def get_reveal_steps(event: Event, contests: Iterable[Contest], arrange: Arrange = announce_places) -> RevealSteps:
    """Return what is revealed now, or what would be, as organisers see it.

    Args:
        contests: those that a reveal would show if it started now, in its order.
        arrange: as for `start_reveal`.
    """
    running = get_running_reveal(event)
    if running is not None:
        return running
    results = [(contest, get_organiser_view(contest).get_leaderboard()) for contest in contests]
    return RevealSteps(None, results, arrange(event, results))


def list_reveal_steps(results: Results) -> list[RevealStep]:
    """Return every step of places, in order."""
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
