"""Retiring a bike from a contest (TABLE-3)."""

from __future__ import annotations

from uuid import UUID

from games.core.actions import Retire
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult, Submission, check_reason, submit
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import Actions, canonicalize_actions
from scorekeeper.scorecards.recorded_card import CardJudgement
from scorekeeper.scorecards.services.card_target import CardTarget
from scorekeeper.scorecards.services.cards import check_can_record, load_card_for_update
from scorekeeper.scorecards.services.outcomes import record_or_review


def retire_bike(actor: Actor, operation_id: UUID, contest_id: UUID, bike_id: UUID, reason: str) -> Receipt:
    """Record that a bike leaves the contest (TABLE-3): it keeps its points, and ranks below all bikes that stayed.

    If two people record it, the bike retires once.

    Raises:
        ReasonRequired: there is no reason.
        NotAllowed: as for `record_turn`, and also for a road captain of another group.
        UnknownTarget, IdReused: as for `record_turn`.
    """
    return submit(prepare_retirement(actor, operation_id, contest_id, bike_id, reason))


def prepare_retirement(actor: Actor, operation_id: UUID, contest_id: UUID, bike_id: UUID, reason: str) -> Submission:
    """Return the operation that records a retirement."""
    body = {"contest": str(contest_id), "bike": str(bike_id), "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        card = load_card_for_update(context, contest_id, bike_id)
        check_can_record(actor, card.bike, takes_over=False)
        check_reason(reason)
        actions, judged = judge_retirement(context, card)
        return record_or_review(context, card, judged, actions, kind="retire", repeated=card.get_turn(None))

    return Submission(operation_id, "retire", actor, body, handle, reason, CardTarget.of_bike(contest_id, bike_id))


def judge_retirement(context: OperationContext, card: BikeCard) -> tuple[Actions, CardJudgement]:
    """Return the canonical actions of a retirement, and the card judged with it."""
    actions = canonicalize_actions(card.contest, [{"type": Retire.type}])
    return actions, card.judge_turn(context.operation_id, actions)
