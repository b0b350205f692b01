"""A recorded card, as operations need it, whichever way its game is recorded.

A card is a chain of recorded turns; at a table, of recorded actions, which are handled in the same way and also called
turns. What differs is how they are played: `BikeCard` plays the turns of a bike in the order of their slots,
`OpenTable` the actions of a table in the order in which they were recorded. Recording, correcting, voiding, reviewing
and repeating are written once, for both (`scorekeeper.scorecards.services`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self
from uuid import UUID

from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.unit_of_work import Snapshotable
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import Actions, CardFold, RecordedTurn, TurnChange, Turns, apply_changes


@dataclass(frozen=True)
class CardJudgement:
    """The rules' judgement of a card with proposed turns.

    Attributes:
        turns: the card's turns with the proposed ones.
        fold: their fold.
        problems: those of the new turn, or of turns that it makes invalid, as data.
        conflicting_turns: the ids of the card's turns that the problems are about.
    """

    turns: Turns
    fold: CardFold
    problems: tuple[Mapping[str, Any], ...] = ()
    conflicting_turns: tuple[UUID, ...] = ()

    def is_about(self, turns: Turns) -> bool:
        """Whether exactly these turns were judged. Who recorded them and when makes no difference to the rules."""
        return list(map(_without_origin, self.turns.values())) == list(map(_without_origin, turns.values()))


def _without_origin(turn: RecordedTurn) -> RecordedTurn:
    return replace(turn, origin=None)


class WritableCard(Protocol):
    """A card that can be recorded on.

    Attributes:
        length: how many entries its chain has.
        seat_count: how many seats it has.
        is_sealed: whether its contest is closed.
    """

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> ContestRules: ...
    @property
    def length(self) -> int: ...
    @property
    def seat_count(self) -> int: ...
    @property
    def is_sealed(self) -> bool: ...

    def judge_turn(self, turn_id: UUID, actions: Actions, slot_id: UUID | None = None) -> CardJudgement:
        """Judge the card with a new turn: in its slot, in place of the current one, or after all actions of a table."""

    def with_entry(self, entry: Entry, judged: CardJudgement | None) -> Self:
        """Return the card with one more entry of its chain.

        Args:
            judged: the judgement that allowed the entry. If the entry says exactly what was judged, it is not played
                again.
        """

    def to_snapshotable(self) -> Snapshotable | None:
        """Return what is stored beside the log, so that the next entry need not read it; None if it has to be read."""


class RecordedCard(WritableCard, Protocol):
    """A card with its current turns, read from the log, so that they can be changed."""

    @property
    def turns(self) -> Turns: ...

    def judge(self, turns: Turns, new_turn_id: UUID | None = None) -> CardJudgement:
        """Judge the card with other turns than it has, and explain which of them are invalid.

        Args:
            new_turn_id: the turn that the explanations are not to name.
        """

    def list_taken_slots(self, turns: Turns) -> list[UUID | None]:
        """Return the slots that more than one of these turns is in; nothing at a table, where there are none."""


def judge_changes(card: RecordedCard, changes: Sequence[TurnChange]) -> CardJudgement:
    """Judge a card with all changes of a correction."""
    return card.judge(apply_changes(card.turns, changes, card.length + 1))
