"""Recording a turn: the operation that crews send from the stops.

- A new turn is judged by folding the whole card with it, in slot order, since two phones may have recorded two stops of
  a bike without knowing of each other.
- If the slot already has an equal turn, the new one is a repeat of it. If it has a different turn, that is a conflict.
- A turn that makes any turn of the card invalid goes to review, and so does a turn for a closed contest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.problems import NO_CLAUSE, Malformed, Problem
from games.core.sheet import is_same_turn
from games.core.text import gettext_noop
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import RECORDED, OperationResult, Submission, UnknownTarget, execute, submit
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.fold import Actions, RecordedTurn, Turns, canonicalize_actions, fold_incremental
from scorekeeper.scorecards.services.card_target import CardTarget
from scorekeeper.scorecards.services.cards import (
    CardJudgement,
    append_to_card,
    check_can_record,
    load_card_for_update,
)
from scorekeeper.scorecards.services.repeats import append_repeat
from scorekeeper.scorecards.services.review_causes import find_review_cause, send_to_review
from scorekeeper.stops.models import Slot

SLOT_TAKEN_MESSAGE = gettext_noop("A different entry for this turn arrived first. The organiser will decide.")
SLOT_TAKEN = problem_to_data(Problem("slot_taken", NO_CLAUSE, SLOT_TAKEN_MESSAGE))


@dataclass(frozen=True, slots=True)
class TurnInput:
    """A turn as a phone sends it.

    Attributes:
        actions: the whole turn as in a transcript, without the seat.
        dice_set_id: the dice set it was rolled with, if known.
        takes_over: whether a road captain records another group's bike.
        reason: why the turn is recorded at another stop or by someone else.
    """

    contest_id: UUID
    bike_id: UUID
    slot_id: UUID
    actions: Sequence[Mapping[str, Any]]
    dice_set_id: UUID | None = None
    takes_over: bool = False
    reason: str = ""

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body."""
        return {
            "contest": str(self.contest_id),
            "bike": str(self.bike_id),
            "slot": str(self.slot_id),
            "actions": list(self.actions),
            "dice_set": None if self.dice_set_id is None else str(self.dice_set_id),
            "takes_over": self.takes_over,
            "reason": self.reason,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> TurnInput:
        """Return the turn from a stored body, which does not have the reason."""
        return cls(
            UUID(body["contest"]),
            UUID(body["bike"]),
            UUID(body["slot"]),
            tuple(body["actions"]),
            None if body["dice_set"] is None else UUID(body["dice_set"]),
            body["takes_over"],
        )


def record_turn(actor: Actor, operation_id: UUID, turn_input: TurnInput) -> Receipt:
    """Record a turn of a bike, or send it to review.

    Raises:
        UnknownTarget: there is no such contest, bike or slot.
        NotAllowed: the actor may not record this bike.
        IdReused: the id was used for something else.
    """
    return submit(prepare_turn(actor, operation_id, turn_input))


def record_turn_on(
    opened: CardState, actor: Actor, operation_id: UUID, turn_input: TurnInput
) -> tuple[Receipt, CardState | None]:
    """Record a turn on a card that a page has read, and return the card as it is now, so that nobody reads it again.

    Args:
        opened: the card, read from the log without a lock.

    Returns:
        The receipt, and the card's new state. The card is None for a duplicate, after which much may have changed, and
        if the bike was merged into another meanwhile: then the card has to be read.

    Raises:
        UnknownTarget, NotAllowed, IdReused: as `record_turn`.
    """
    recorded = execute(prepare_turn(actor, operation_id, turn_input, opened))
    card = recorded.states.get(opened.id)
    return recorded.receipt, card if isinstance(card, CardState) else None


def prepare_turn(
    actor: Actor, operation_id: UUID, turn_input: TurnInput, opened: CardState | None = None
) -> Submission:
    """Return the operation that records a turn.

    Args:
        opened: the card as a page has read it without a lock.
    """

    def handle(context: OperationContext) -> OperationResult:
        card = load_card_for_update(
            context, turn_input.contest_id, turn_input.bike_id, turn_input.dice_set_id, opened=opened
        )
        stop_id = card.contest.get_stop_id(turn_input.slot_id)
        check_can_record(actor, card.bike, turn_input.takes_over, [stop_id])
        if turn_input.slot_id not in card.contest.slots:
            raise UnknownTarget(turn_input.slot_id)
        return judge_and_append_turn(context, card, turn_input)

    target = CardTarget.of_bike(turn_input.contest_id, turn_input.bike_id, turn_input.dice_set_id)
    return Submission(operation_id, "turn", actor, turn_input.to_body(), handle, turn_input.reason, target)


def judge_and_append_turn(context: OperationContext, card: CardState, turn_input: TurnInput) -> OperationResult:
    """Judge a turn on its card, then write it or send it to review."""
    actions = canonicalize_actions(card.contest, turn_input.actions)
    judged = judge_turn(card, turn_input.slot_id, actions, context.operation_id)
    current = card.get_turn(turn_input.slot_id)
    if current is not None and is_same_turn(
        judged.fold.results.get(context.operation_id), card.fold.results.get(current.id)
    ):
        return append_repeat(context, card.contest.id, card.chain, current, actions, card)
    against = [current.id] if current is not None else list(judged.conflicting_turns)
    if cause := find_review_cause(context, is_sealed=card.chain.is_sealed):
        return send_to_review(
            context, card, cause.reason, [cause.problem, *judged.problems], against, turn_input.slot_id
        )
    if current is not None:
        return send_to_review(
            context, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN, *judged.problems], against, turn_input.slot_id
        )
    if judged.problems:
        return send_to_review(context, card, ReviewItem.Reason.RULE, judged.problems, against, turn_input.slot_id)
    append_turn(context, card, turn_input, actions, {}, judged)
    return RECORDED


def judge_turn(card: CardState, slot_id: UUID, actions: Actions, turn_id: UUID) -> CardJudgement:
    """Judge the card with a turn in a slot, in place of the current turn."""
    turn = RecordedTurn(turn_id, slot_id, actions, card.chain.length + 1)
    others = {other.id: other for other in card.turns.values() if other.slot_id != slot_id}
    return judge_card(card, {**others, turn_id: turn}, turn_id)


def judge_card(card: CardState, turns: Turns, new_turn_id: UUID | None = None) -> CardJudgement:
    """Judge the card with other turns than it has, and explain which of them are invalid.

    Args:
        new_turn_id: the turn that the explanations are not to name.
    """
    try:
        fold = fold_incremental(card.contest, card.turns, card.fold, turns)
    except Malformed as malformed:
        return CardJudgement(turns, card.fold, (problem_to_data(malformed.as_problem()),))
    if not fold.invalid_turns:
        return CardJudgement(turns, fold)
    names = dict(Slot.objects.filter(contest_id=card.contest.id).values_list("pk", "stop__name"))
    problems = [
        problem_to_data(
            problem, None if invalid.turn_id == new_turn_id else _get_stop_name(names, turns[invalid.turn_id])
        )
        for invalid in fold.invalid_turns
        for problem in invalid.problems
    ]
    conflicting = [invalid.turn_id for invalid in fold.invalid_turns if invalid.turn_id != new_turn_id]
    return CardJudgement(turns, fold, tuple(problems), tuple(conflicting))


def append_turn(
    context: OperationContext,
    card: CardState,
    turn_input: TurnInput,
    actions: Actions,
    data: Mapping[str, Any],
    judged: CardJudgement,
) -> CardState:
    """Append a judged turn to its card."""
    extra = {"takes_over": True} if turn_input.takes_over else {}
    return append_to_card(
        context,
        card,
        "record",
        judged,
        actions=actions,
        slot_id=turn_input.slot_id,
        dice_set_id=card.dice_set_id,
        data={**extra, **data},
    )


def _get_stop_name(names: Mapping[UUID, str], turn: RecordedTurn) -> str | None:
    return None if turn.slot_id is None else names.get(turn.slot_id)
