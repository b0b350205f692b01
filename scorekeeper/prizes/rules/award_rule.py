"""The contract of a rule, and its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms

Figures = Mapping[str, Any]
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
        needs_turns: whether it can only be used where turns are recorded at stops.
        uses_stop: whether a prize may name a stop.
        requires_stop: whether it must.
        is_for_groups: whether groups win, not bikes or players.
    """

    key: ClassVar[str]
    needs_turns: ClassVar[bool] = False
    uses_stop: ClassVar[bool] = False
    requires_stop: ClassVar[bool] = False
    is_for_groups: ClassVar[bool] = False

    @abstractmethod
    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return who is best, and everyone who is tied for it."""

    @abstractmethod
    def describe(self, terms: AwardTerms) -> str:
        """Return what a prize is for: "Best roll at Parks"."""

    @abstractmethod
    def explain(self, figures: Figures, event: Event) -> str:
        """Return how a candidate's figure was worked out, in one line: "5 sixes over 5 turns"."""


def pick_best(items: Iterable[T], get_score: Callable[[T], Any]) -> list[T]:
    """Return the items with the highest score, in their order; none of none."""
    scored = [(get_score(item), item) for item in items]
    best = max((score for score, _item in scored), default=None)
    return [item for score, item in scored if score == best]
