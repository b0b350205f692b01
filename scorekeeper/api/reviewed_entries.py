"""Entries under review as programs read them: with the rules that they break, and both sides while they are open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.scorecards.review_presenter import ReviewSide
from scorekeeper.scorecards.selectors.review_items import present_review_items


class RuleProblem(NamedTuple):
    """A rule that an action would break, in words.

    Attributes:
        clause: "" if it cites none.
        field: of the action, that it is about; None if it is about all of it.
    """

    code: str
    clause: str
    field: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class ReviewedEntry:
    """An entry under review.

    Attributes:
        actor_name: who sent it; "" if the name was erased.
        current, under_review: both sides; nothing once it is decided.
    """

    item: ReviewItem
    actor_name: str
    problems: Sequence[RuleProblem]
    current: Sequence[ReviewSide] = ()
    under_review: Sequence[ReviewSide] = ()

    @property
    def operation(self) -> Operation:
        """What was sent."""
        return self.item.operation

    @property
    def decision(self) -> str | None:
        """What was decided; None while it is open."""
        return self.item.decision or None


def read_reviewed_entries(event: Event, items: Sequence[ReviewItem]) -> list[ReviewedEntry]:
    """Return these items of an event, in the same order."""
    names = list_actor_names(event, {item.operation.actor_id for item in items})
    open_items = [item for item in items if item.settled_at is None]
    sides = {one.item.pk: (one.current, one.under_review) for one in present_review_items(event, open_items)}
    return [
        ReviewedEntry(
            item,
            names.get(item.operation.actor_id, ""),
            [_explain(item.contest.game_key, problem) for problem in item.problems],
            *sides.get(item.pk, ((), ())),
        )
        for item in items
    ]


def _explain(game_key: str, problem: Mapping[str, Any]) -> RuleProblem:
    return RuleProblem(problem["code"], problem["rule"], problem.get("field"), explain(game_key, problem).text)
