"""What waits for a decision as the page shows it: both sides in words, and what can be decided."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.models import ReviewItem


@dataclass(frozen=True, slots=True)
class ReviewSide:
    """One side: what was noted, by whom and when.

    Attributes:
        what: a turn or an action in words: "Parks: chance, 22 points", "Ann: Note the roll 2 2 4".
        is_missed: whether it only says that the turn was missed.
    """

    description: str
    dice: tuple[int | str, ...] = ()
    actor_name: str = ""
    recorded_at: dt.datetime | None = None
    is_missed: bool = False


@dataclass(frozen=True, slots=True)
class ReviewItemPresenter:
    """An item with both sides.

    Attributes:
        number: of the bike; "" at a table.
        name: of the bike, or of whoever sits at the table.
        free: slots of the same stop that are free, with their ordinals; only for a turn.
        at_table: whether it waits for a table.
    """

    item: ReviewItem
    game_key: str
    bike_number: str
    name: str
    current: tuple[ReviewSide, ...]
    under_review: tuple[ReviewSide, ...]
    problems: tuple[Sentence, ...]
    can_apply: bool
    free_slots: tuple[tuple[UUID, int], ...] = ()
    is_at_table: bool = False

    @property
    def replaces_missed_turn(self) -> bool:
        """Whether a real turn waits for one that was only noted as missed."""
        return self.can_apply and len(self.current) == 1 and self.current[0].is_missed
