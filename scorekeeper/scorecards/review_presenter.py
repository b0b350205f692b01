"""Presenters for review items: both sides as text, and the possible decisions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.rulebooks.citations import Sentence

SAID_BY_REASON = frozenset({"contest_closed", "phone_ended", "slot_taken"})  # codes of problems that repeat it


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
        bike_number: the number of the bike; None at a table.
        name: the name of the bike, or of the players at the table.
        current: the current entries.
        under_review: the entries under review.
        no_current: what to say where there are no current entries.
        can_apply: whether the entry under review can be accepted.
        apply_label: what to call that.
        free_slots: free slots of the same stop, with their ordinals; only for a turn.
        history_url: the page with everything recorded at the table; "" where both sides say it all.
    """

    item: ReviewItem
    game_key: str
    bike_number: str | None
    name: str
    current: tuple[ReviewSide, ...]
    under_review: tuple[ReviewSide, ...]
    problems: tuple[Sentence, ...]
    no_current: str
    can_apply: bool
    apply_label: str
    free_slots: tuple[tuple[UUID, int], ...] = ()
    history_url: str = ""

    @property
    def replaces_missed_turn(self) -> bool:
        """Whether the entry under review is a real turn for one that was only recorded as missed."""
        return self.can_apply and len(self.current) == 1 and self.current[0].is_missed


def explain_further(game_key: str, problems: Iterable[Mapping[str, Any]]) -> tuple[Sentence, ...]:
    """Return the problems of an item in words, without those that only repeat the reason why it is under review."""
    return tuple(explain_all(game_key, [problem for problem in problems if problem["code"] not in SAID_BY_REASON]))
