"""Presenters for review items: both sides as text, and the possible decisions."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.models import ReviewItem


@dataclass(frozen=True, slots=True)
class ReviewSide:
    """One side: what was recorded, by whom and when.

    Attributes:
        description: a turn or an action as text: "Parks: chance, 22 points", "Ann: Record roll 2 2 4".
        is_missed: whether it only says that the turn was missed.
    """

    description: str
    dice: tuple[int | str, ...] = ()
    actor_name: str = ""
    recorded_at: dt.datetime | None = None
    is_missed: bool = False


@dataclass(frozen=True, slots=True)
class ReviewItemPresenter:
    """A review item with both sides.

    Attributes:
        bike_number: the number of the bike; "" at a table.
        name: the name of the bike, or of the players at the table.
        current: the current entries.
        under_review: the entries under review.
        can_apply: whether the entry under review can be accepted.
        free_slots: free slots of the same stop, with their ordinals; only for a turn.
        is_at_table: whether it is about a table.
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
        """Whether the entry under review is a real turn for one that was only recorded as missed."""
        return self.can_apply and len(self.current) == 1 and self.current[0].is_missed
