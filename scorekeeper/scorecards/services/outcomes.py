"""What becomes of what is recorded on a card of either kind: it is written, merged with an equal turn, or reviewed.

Nothing that was sent is dropped: what the rules forbid, what contradicts an entry that arrived first, and what arrives
too late goes to review, where the organiser decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import RECORDED, OperationResult
from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.recorded_card import CardJudgement, WritableCard
from scorekeeper.scorecards.services.cards import append_to_card
from scorekeeper.scorecards.services.repeats import append_repeat

CLOSED_MESSAGE = gettext_noop("The contest was closed before this arrived. The organiser will decide.")
PHONE_ENDED_MESSAGE = gettext_noop(
    "This phone was signed out, or its link had expired, before this arrived. The organiser will decide."
)
SLOT_TAKEN_MESSAGE = gettext_noop("A different entry for this turn arrived first. The organiser will decide.")
CONTEST_CLOSED = problem_to_data(Problem("contest_closed", NO_CLAUSE, CLOSED_MESSAGE))
NEWER_ENTRY_MESSAGE = gettext_noop("A newer entry is already there. Check the scorecard, then decide again.")
PHONE_ENDED = problem_to_data(Problem("phone_ended", NO_CLAUSE, PHONE_ENDED_MESSAGE))
SLOT_TAKEN = problem_to_data(Problem("slot_taken", NO_CLAUSE, SLOT_TAKEN_MESSAGE))
NEWER_ENTRY = problem_to_data(Problem("newer_entry", NO_CLAUSE, NEWER_ENTRY_MESSAGE))

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
    """Why an operation goes to review, whatever the rules say about it.

    Attributes:
        against: the turns that contradict it; None for those that the rules name.
    """

    reason: ReviewItem.Reason
    problem: Mapping[str, Any]
    against: Sequence[UUID] | None = None


def find_review_cause(context: OperationContext, *, is_sealed: bool) -> ReviewCause | None:
    """Return why the operation has to go to review: its phone was revoked or has expired, or the contest is closed.

    Only the organiser may change a closed contest, with a reason.
    """
    if context.actor.needs_review:
        return ReviewCause(ReviewItem.Reason.REVOKED, PHONE_ENDED)
    if is_sealed and not (context.actor.is_organiser and context.reason):
        return ReviewCause(ReviewItem.Reason.LATE, CONTEST_CLOSED)
    return None


def send_to_review(
    context: OperationContext,
    card: WritableCard,
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


def record_or_review(
    context: OperationContext,
    card: WritableCard,
    judged: CardJudgement,
    actions: Actions,
    *,
    kind: str = "record",
    repeated: RecordedTurn | None = None,
    conflict: ReviewCause | None = None,
    against: Sequence[UUID] = (),
    slot_id: UUID | None = None,
    **fields: Any,
) -> OperationResult:
    """Write a new turn to its card, merge it with an equal one, or send it to review.

    Args:
        judged: the card with the new turn.
        kind: the kind of the entry.
        repeated: the current turn that it repeats, if it repeats one.
        conflict: why it contradicts what was recorded meanwhile, if it does.
        against: the turns that it would replace or make invalid.
        fields: the entry's dice set and data, as for `OperationContext.append`.
    """
    if repeated is not None:
        return append_repeat(context, card, repeated, actions)
    cause = find_review_cause(context, is_sealed=card.is_sealed) or conflict
    if cause is not None:
        named = against if cause.against is None else cause.against
        return send_to_review(context, card, cause.reason, [cause.problem, *judged.problems], named, slot_id)
    if judged.problems:
        return send_to_review(context, card, ReviewItem.Reason.RULE, judged.problems, against, slot_id)
    append_to_card(context, card, kind, judged, actions=actions, slot_id=slot_id, **fields)
    return RECORDED
