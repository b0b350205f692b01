"""Recording a turn: the operation that crews send from the stops.

- A new turn is judged by folding the whole card with it, in slot order, since two phones may have recorded two stops of
  a bike without knowing of each other.
- If the slot already has an equal turn, the new one is a repeat of it.
- A turn that the rules do not allow, or that makes another turn of the card invalid, is refused, whether or not its
  slot is taken: only entries that could each count are a conflict.
- A turn for a closed contest goes to review.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.sheet import is_same_turn
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult, Submission, UnknownTarget, execute, submit
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import canonicalize_actions
from scorekeeper.scorecards.services.card_target import CardTarget
from scorekeeper.scorecards.services.cards import check_can_record, load_card_for_update
from scorekeeper.scorecards.services.outcomes import SLOT_TAKEN, ReviewCause, record_or_review


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
    opened: BikeCard, actor: Actor, operation_id: UUID, turn_input: TurnInput
) -> tuple[Receipt, BikeCard | None]:
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
    return recorded.receipt, card if isinstance(card, BikeCard) else None


def prepare_turn(actor: Actor, operation_id: UUID, turn_input: TurnInput, opened: BikeCard | None = None) -> Submission:
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
        return _record_or_review(context, card, turn_input)

    target = CardTarget.of_bike(turn_input.contest_id, turn_input.bike_id, turn_input.dice_set_id)
    return Submission(operation_id, "turn", actor, turn_input.to_body(), handle, turn_input.reason, target)


def _record_or_review(context: OperationContext, card: BikeCard, turn_input: TurnInput) -> OperationResult:
    actions, slot_id = canonicalize_actions(card.contest, turn_input.actions), turn_input.slot_id
    judged = card.judge_turn(context.operation_id, actions, slot_id)
    current = card.get_turn(slot_id)
    result = judged.fold.results.get(context.operation_id)
    is_repeat = current is not None and is_same_turn(result, card.fold.results.get(current.id))
    is_conflict = current is not None and not judged.problems
    in_slot = [] if current is None else [current.id]
    return record_or_review(
        context,
        card,
        judged,
        actions,
        repeated=current if is_repeat else None,
        conflict=ReviewCause(ReviewItem.Reason.CONFLICT, SLOT_TAKEN) if is_conflict else None,
        against=[*in_slot, *judged.conflicting_turns],
        slot_id=slot_id,
        dice_set_id=card.dice_set_id,
        data={"takes_over": True} if turn_input.takes_over else {},
    )
