"""What waits for a decision as the page shows it: both sides in words, and what can be decided."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.models import ReviewItem


@dataclass(frozen=True, slots=True)
class Side:
    """One side: what was noted, by whom and when.

    Attributes:
        what: a turn or an action in words: "Parks: chance, 22 points", "Ann: Note the roll 2 2 4".
        is_missed: whether it only says that the turn was missed.
    """

    what: str
    dice: tuple[int | str, ...] = ()
    who: str = ""
    at: dt.datetime | None = None
    is_missed: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """An item with both sides.

    Attributes:
        number: of the bike; "" at a table.
        name: of the bike, or of whoever sits at the table.
        free: slots of the same stop that are free, with their ordinals; only for a turn.
        at_table: whether it waits for a table.
    """

    item: ReviewItem
    game_key: str
    number: str
    name: str
    stands: tuple[Side, ...]
    sent: tuple[Side, ...]
    why: tuple[Sentence, ...]
    can_apply: bool
    free: tuple[tuple[UUID, int], ...] = ()
    at_table: bool = False

    @property
    def is_forfeit(self) -> bool:
        """Whether a real turn waits for one that was only noted as missed."""
        return self.can_apply and len(self.stands) == 1 and self.stands[0].is_missed
