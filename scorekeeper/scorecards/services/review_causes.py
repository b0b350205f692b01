"""Why an operation goes to review, whatever kind of card it is about, and sending it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult
from scorekeeper.scorecards.contest_rules import ContestRules

CLOSED_MESSAGE = gettext_noop("The contest was closed before this arrived. The organiser will decide.")
PHONE_ENDED_MESSAGE = gettext_noop(
    "This phone was signed out, or its link had expired, before this arrived. The organiser will decide."
)
CONTEST_CLOSED = problem_to_data(Problem("contest_closed", NO_CLAUSE, CLOSED_MESSAGE))
PHONE_ENDED = problem_to_data(Problem("phone_ended", NO_CLAUSE, PHONE_ENDED_MESSAGE))

REVIEW_OUTCOMES = {
    ReviewItem.Reason.CONFLICT: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.STALE: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.SAME_BIKE: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.RULE: Operation.Outcome.REFUSED,
    ReviewItem.Reason.LATE: Operation.Outcome.LATE,
    ReviewItem.Reason.REVOKED: Operation.Outcome.REVIEW,
}


@dataclass(frozen=True)
class ReviewCause:
    """Why an operation goes to review, whatever the rules say about it."""

    reason: ReviewItem.Reason
    problem: Mapping[str, Any]


def find_review_cause(context: OperationContext, *, is_sealed: bool) -> ReviewCause | None:
    """Return why the operation has to go to review: its phone was revoked or has expired, or the contest is closed.

    Only the organiser may change a closed contest, with a reason.
    """
    if context.actor.needs_review:
        return ReviewCause(ReviewItem.Reason.REVOKED, PHONE_ENDED)
    if is_sealed and not (context.actor.is_organiser and context.reason):
        return ReviewCause(ReviewItem.Reason.LATE, CONTEST_CLOSED)
    return None


class ReviewedCard(Protocol):
    """The card that an operation is about, of any kind."""

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> ContestRules: ...


def send_to_review(
    context: OperationContext,
    card: ReviewedCard,
    reason: ReviewItem.Reason,
    problems: Sequence[Mapping[str, Any]],
    against: Sequence[UUID],
    slot_id: UUID | None = None,
) -> OperationResult:
    """Send the operation to review, with what prevented it."""
    context.add_review_item(
        reason, card.contest.id, card_id=card.id, slot_id=slot_id, against=against, problems=problems
    )
    return OperationResult(REVIEW_OUTCOMES[reason], tuple(problems))
