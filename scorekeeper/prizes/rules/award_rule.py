"""The contract of a rule, and its result."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms

Figures = Mapping[str, Any]
WonBy = Literal["", "highest", "lowest"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AwardCandidate:
    """A bike, a player or a group that a rule finds best.

    Attributes:
        number: of the bike; "" for a player and for a group.
        total: in the contest; None for a group.
        figures: how it was worked out, as plain data with whole numbers only.
    """

    id: UUID
    number: str
    total: int | None
    figures: Figures

    @classmethod
    def from_entrant(cls, entrant: AwardEntrant, **figures: Any) -> AwardCandidate:
        """Return an entrant as a candidate."""
        return cls(entrant.entrant_id, entrant.number, entrant.total, figures)


@dataclass(frozen=True, slots=True)
class AwardResult:
    """What a rule finds.

    Attributes:
        candidates: everyone who is best; several are tied, none means that nobody wins.
        is_cut: whether cutting cards decided it.
        waits_for_cards: whether a tie is to be decided by cutting cards for the place.
        is_shared: whether the rules of the game leave a tie shared.
    """

    candidates: tuple[AwardCandidate, ...] = ()
    is_cut: bool = False
    waits_for_cards: bool = False
    is_shared: bool = False


class AwardRule(ABC):
    """A rule by which a prize is won.

    Attributes:
        key: names the rule in the database and in revisions.
        is_offered: whether a new prize can have it. Prizes that were made before keep the others.
        needs_turns: whether it can only be used where turns are recorded at stops.
        compares_turns: whether it compares the points of turns, so that these have to say how good a turn was.
        compares_totals: whether it compares totals as numbers, which those of hands are not.
        compares_hands: whether it compares hands.
        counts_faces: whether it counts the faces of dice.
        uses_stop: whether a prize may name a stop.
        requires_stop: whether it must.
        is_for_groups: whether groups win, not bikes or players.
        tells_result: whether its figures tell a total or a place in the contest, which may be announced only later.
        won_by: which total wins it, if that may be the one that wins the contest: then it names the winner.
    """

    key: ClassVar[str]
    is_offered: ClassVar[bool] = True
    needs_turns: ClassVar[bool] = False
    compares_turns: ClassVar[bool] = False
    compares_totals: ClassVar[bool] = False
    compares_hands: ClassVar[bool] = False
    counts_faces: ClassVar[bool] = False
    uses_stop: ClassVar[bool] = False
    requires_stop: ClassVar[bool] = False
    is_for_groups: ClassVar[bool] = False
    tells_result: ClassVar[bool] = False
    won_by: ClassVar[WonBy] = ""

    @abstractmethod
    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return who is best, and everyone who is tied for it."""

    @abstractmethod
    def describe(self, terms: AwardTerms) -> str:
        """Return what a prize is for: "Best roll at Parks"."""

    @abstractmethod
    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return how a candidate's figure was worked out, in one line: "5 sixes over 5 turns"."""

    def get_recording_time(self, entrant: AwardEntrant, figures: Figures) -> dt.datetime | None:
        """Return when what a candidate wins with was recorded, for "the first sheet wins"; None if nothing was.

        By default that is when the last turn was recorded, which finished the scorecard.
        """
        return max((turn.recorded_at for turn in entrant.turns), default=None)


def pick_best(items: Iterable[T], get_score: Callable[[T], Any]) -> list[T]:
    """Return the items with the highest score, in their order; none of none."""
    scored = [(get_score(item), item) for item in items]
    best = max((score for score, _item in scored), default=None)
    return [item for score, item in scored if score == best]
