"""Corrections: amending and voiding what was recorded on one card, turns of a bike or actions at a table.

- A correction names each target with the sequence number last seen. If there is a newer one, it is a conflict.
- All its changes are judged together, so two boxes can be swapped even if one change alone would be illegal.
- A change that the rules do not allow is refused, naming what conflicts with it, and goes to review like every other
  operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    MalformedOperation,
    NotAllowed,
    OperationResult,
    UnknownTarget,
    check_reason,
    record,
)
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import Actions, TurnChange, canonicalize_actions
from scorekeeper.scorecards.recorded_card import CardJudgement, RecordedCard, judge_changes
from scorekeeper.scorecards.services.actions import lock_table
from scorekeeper.scorecards.services.cards import append_to_card, check_can_record, load_card_for_update
from scorekeeper.scorecards.services.outcomes import NEWER_ENTRY, SLOT_TAKEN, find_review_cause, send_to_review
from scorekeeper.scorecards.services.repeats import review_repeats

MAX_TARGETS = 1_000  # turns or actions that one correction changes: more than the longest game at a table has
MAX_CORRECTION_LENGTH = 250_000  # characters of a correction's body; a target takes some 150


@dataclass(frozen=True, slots=True)
class CorrectionTarget:
    """A turn to change, as it was last seen.

    Attributes:
        seq: the last entry of the chain that had changed the turn when it was last seen.
        actions: the new actions; None voids the turn.
        slot_id: the new slot, if it changes.
    """

    turn_id: UUID
    seq: int
    actions: Sequence[Mapping[str, Any]] | None
    slot_id: UUID | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the target as part of an operation's body."""
        return {**TurnChange(self.turn_id, _to_tuple(self.actions), self.slot_id).to_data(), "seq": self.seq}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CorrectionTarget:
        """Return the target from an operation's body."""
        change = TurnChange.from_data(data)
        return cls(change.turn_id, data["seq"], change.actions, change.slot_id)


def amend_turns(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    bike_id: UUID,
    targets: Sequence[CorrectionTarget],
    reason: str,
    takes_over: bool = False,
) -> Receipt:
    """Correct or void turns of one card, all of them or none. Voiding a retirement brings the bike back.

    Raises:
        ReasonRequired: there is no reason.
        MalformedOperation: no turn is named, the same turn twice, or more than `MAX_TARGETS`.
        UnknownTarget, NotAllowed, IdReused: as for `record_turn`.
    """

    def handle(context: OperationContext) -> OperationResult:
        card = load_card_for_update(context, contest_id, bike_id, by_log=True)
        check_can_record(actor, card.bike, takes_over, list_touched_stops(card, targets))
        for target in targets:
            if target.slot_id is not None and target.slot_id not in card.contest.slots:
                raise UnknownTarget(target.slot_id)
        retirement = card.get_turn(None)
        if retirement is not None and any(target.turn_id == retirement.id for target in targets):
            _check_can_retire(actor, card.bike)
        return apply_correction(context, card, targets)

    named = {"contest": str(contest_id), "bike": str(bike_id), "takes_over": takes_over}
    body = _make_body(operation_id, named, targets, reason)
    return record(operation_id, "amend", actor, body, handle, reason, MAX_CORRECTION_LENGTH)


def correct_actions(
    actor: Actor, operation_id: UUID, card_id: UUID, targets: Sequence[CorrectionTarget], reason: str
) -> Receipt:
    """Amend or void actions of one table, all of them or none.

    Raises:
        ReasonRequired, MalformedOperation: as for `amend_turns`.
        UnknownTarget, NotAllowed, IdReused: as for `record_action`.
    """

    def handle(context: OperationContext) -> OperationResult:
        return apply_correction(context, lock_table(context, card_id), targets)

    body = _make_body(operation_id, {"card": str(card_id)}, targets, reason)
    return record(operation_id, "correct", actor, body, handle, reason, MAX_CORRECTION_LENGTH)


def _make_body(
    operation_id: UUID, card: Mapping[str, Any], targets: Sequence[CorrectionTarget], reason: str
) -> dict[str, Any]:
    """Return the body of a correction of a card of either kind.

    Args:
        card: what names the card.

    Raises:
        ReasonRequired: there is no reason.
        MalformedOperation: no turn is named, the same turn twice, or more than `MAX_TARGETS`.
    """
    check_reason(reason)
    if not 1 <= len(targets) <= MAX_TARGETS or len({target.turn_id for target in targets}) < len(targets):
        raise MalformedOperation(operation_id)
    return {**card, "targets": [target.to_data() for target in targets], "reason": reason}


def list_touched_stops(card: BikeCard, targets: Sequence[CorrectionTarget]) -> set[UUID | None]:
    """Return the stops of the turns to change and of the slots they get; `NO_STOP` for a retirement.

    Turns that the card does not have are left out: they cannot be changed, so they go to review.
    """
    turns = [card.turns[target.turn_id] for target in targets if target.turn_id in card.turns]
    new_slots = [target.slot_id for target in targets if target.slot_id is not None]
    return {card.contest.get_stop_id(slot_id) for slot_id in (*(turn.slot_id for turn in turns), *new_slots)}


def apply_correction(
    context: OperationContext, card: RecordedCard, targets: Sequence[CorrectionTarget]
) -> OperationResult:
    """Judge the changes together, then write them or send them to review."""
    touched = [target.turn_id for target in targets]
    if not all(_is_unchanged(context, card, target) for target in targets):
        return send_to_review(context, card, ReviewItem.Reason.STALE, [NEWER_ENTRY], touched)
    changes = make_changes(card, targets)
    judged = judge_changes(card, changes)
    if cause := find_review_cause(context, is_sealed=card.is_sealed):
        return send_to_review(context, card, cause.reason, [cause.problem, *judged.problems], touched)
    if card.list_taken_slots(judged.turns):
        return send_to_review(context, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], touched)
    if judged.problems:
        conflicting = judged.conflicting_turns or touched
        return send_to_review(context, card, ReviewItem.Reason.RULE, judged.problems, conflicting)
    append_changes(context, card, changes, judged)
    return RECORDED


def _is_unchanged(context: OperationContext, card: RecordedCard, target: CorrectionTarget) -> bool:
    """Whether a turn is as it was last seen.

    A phone without signal cannot know which number its turn gets in the log, since entries of other phones may come
    first. As long as nobody has changed the turn, what its own phone says of it is about its only version.
    """
    turn = card.turns.get(target.turn_id)
    if turn is None or turn.origin is None:
        return False
    is_own = context.actor.device_id is not None and context.actor.device_id == turn.origin.device_id
    if target.seq >= turn.seq or not is_own:
        return target.seq == turn.seq
    return Entry.objects.filter(chain=card.id, seq=turn.seq, operation=turn.origin.operation_id).exists()


def make_changes(card: RecordedCard, targets: Sequence[CorrectionTarget]) -> list[TurnChange]:
    """Return the changes that the targets ask for, with their actions in canonical form."""
    return [
        TurnChange(
            target.turn_id,
            None if target.actions is None else canonicalize_actions(card.contest, target.actions, card.seat_count),
            target.slot_id,
        )
        for target in targets
    ]


def append_changes(
    context: OperationContext,
    card: RecordedCard,
    changes: Sequence[TurnChange],
    judged: CardJudgement,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Append judged changes to their card. Repeats of turns that they void or move go to review.

    Args:
        data: more data for the entry.
    """
    data = {"changes": [change.to_data() for change in changes], **(data or {})}
    append_to_card(context, card, "amend", judged, data=data)
    review_removed_repeats(context, card, changes)


def review_removed_repeats(context: OperationContext, card: RecordedCard, changes: Sequence[TurnChange]) -> None:
    """Send the repeats of turns that changes void or move to review. This locks the review chain, so it comes last.

    Args:
        card: the card before the changes.
    """
    removed = [change.turn_id for change in changes if _removes_turn(card, change)]
    review_repeats(context, card, removed)


def _removes_turn(card: RecordedCard, change: TurnChange) -> bool:
    turn = card.turns.get(change.turn_id)
    if turn is None:
        return False  # the change restores it
    return change.actions is None or (change.slot_id is not None and change.slot_id != turn.slot_id)


def _check_can_retire(actor: Actor, bike: Bike) -> None:
    """Raise `NotAllowed` unless the actor may bring a bike back: everyone who may retire it may do so."""
    if not actor.can_record("retire"):
        raise NotAllowed(bike.pk)


def _to_tuple(actions: Sequence[Mapping[str, Any]] | None) -> Actions | None:
    return None if actions is None else tuple(actions)
