"""What the rules read: the result and the turns of everyone in the ranking, and who rides in which group.

It is made from a folded contest and holds no names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from games.core.game import Ruleset
from games.core.sheet import Turn as TurnResult
from games.core.text import Text

NO_LABEL = Text("")


@dataclass(frozen=True, slots=True)
class AwardTurn:
    """A turn that counts.

    Attributes:
        ordinal: of its slot.
        stop: the name of the stop of its slot.
        dice: its last dice, if they are known.
        is_missed: whether nobody rolled it.
        recorded_at: when the server recorded it.
    """

    ordinal: int
    stop: str
    points: int
    dice: tuple[int | str, ...]
    is_missed: bool
    recorded_at: dt.datetime

    def to_result(self) -> TurnResult:
        """Return what the game reads of the turn."""
        return TurnResult(None, NO_LABEL, self.points, self.dice, "missed" if self.is_missed else "rolls")


@dataclass(frozen=True, slots=True)
class AwardEntrant:
    """A bike or a player in the ranking.

    Attributes:
        number: of the bike; "" for a player.
        is_tied: whether others share the place.
        cards: what was shown in the cuts that count, such as "QS"; None for a cut that was missed.
        status: "playing", "done" or "retired".
        turns: in the order of the slots; none at tables.
    """

    entrant_id: UUID
    number: str
    rank: int
    is_tied: bool
    total: int
    status: str
    cards: tuple[str | None, ...] = ()
    turns: tuple[AwardTurn, ...] = ()

    @property
    def is_ranked(self) -> bool:
        """Whether it is in the ranking, as everyone here is."""
        return True


@dataclass(frozen=True, slots=True)
class AwardFacts:
    """All that the rules read of one contest.

    Attributes:
        entrants: best first.
        turns_per_card: how many turns a card has; 0 at tables.
        cuts_cards: whether tied places are decided by cutting cards. In other games, tied places stay shared.
        groups: the members of each group, whether in the ranking or not.
        ruleset: of the contest, which knows the places after some of the turns.
    """

    entrants: Sequence[AwardEntrant]
    turns_per_card: int
    lowest_wins: bool
    cuts_cards: bool
    groups: Mapping[UUID, Sequence[UUID]]
    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class AwardTerms:
    """What a prize says about its rule.

    Attributes:
        place: for a place in the contest.
        stop: the name of the stop; "" for the whole ride.
        ordinals: the turns at the stop; none for the whole ride.
        best_of: for the best group, how many of its members count; None for all.
        ties: who gets it if several are tied: "decide", "share", "cut" or "first".
        face: for the most of a face, which face.
        number_from, number_to: for a drawn number, between which numbers it is drawn.
        number_drawn: the number that was drawn; None before that.
    """

    place: int | None = None
    stop: str = ""
    ordinals: tuple[int, ...] = ()
    best_of: int | None = None
    ties: str = "decide"
    face: int | None = None
    number_from: int | None = None
    number_to: int | None = None
    number_drawn: int | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the terms as plain data."""
        data = {"place": self.place, "stop": self.stop, "ordinals": list(self.ordinals), "best_of": self.best_of}
        # Only what is set: revisions that were published before there were such terms keep their digest.
        return data | {name: getattr(self, name) for name in _LATER_TERMS if getattr(self, name) != _LATER_TERMS[name]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the terms from plain data."""
        later = {name: data[name] for name in _LATER_TERMS if name in data}
        return cls(data["place"], data["stop"], tuple(data["ordinals"]), data["best_of"], **later)


_LATER_TERMS = {"ties": "decide", "face": None, "number_from": None, "number_to": None, "number_drawn": None}
