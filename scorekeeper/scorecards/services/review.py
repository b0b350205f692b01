"""Settling what waits in review: the organiser decides, and the decision is an operation with a reason like any other.

*Keep* leaves what stands and lays the waiting note aside; *apply* puts the waiting note where it belongs, in place of
what stands there; *other slot* puts it into another free turn of the same stop. Each is written to the card's chain.
Whatever waits can be kept aside, so that none waits for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.fold import TurnChange, apply_changes
from scorekeeper.scorecards.models import Chain, Operation, ReviewItem
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.cards import append_to_card, has_dice_set, load_cards_for_update
from scorekeeper.scorecards.services.corrections import CorrectionTarget, append_changes, judge_retirement
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import UnknownTarget
from scorekeeper.scorecards.services.review_decisions import (
    CannotSettle,
    list_decision_reversals,
    make_settlement_data,
    record_decision,
    revert_decision,
)
from scorekeeper.scorecards.services.turns import TurnInput, append_turn, canonicalize_actions, judge_card, judge_turn


def settle_review(
    actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str, slot_id: UUID | None = None
) -> Receipt:
    """Settle one item that waits for a card whose turns are noted at the stops.

    Args:
        decision: a value of `ReviewItem.Decision`.
        slot_id: for "other_slot", the free slot to use.

    Raises:
        CannotSettle, NotYours, ReasonNeeded, OtherBody: as for every decision.
    """

    def carry_out(book: OperationContext, card: CardState | None, item: ReviewItem) -> None:
        if decision == ReviewItem.Decision.KEEP:
            _keep(book, card, item)
        elif card is not None:
            _apply(book, card, item.operation, ReviewItem.Decision(decision), slot_id)
        else:
            raise CannotSettle

    return record_decision(actor, operation_id, item_id, decision, reason, _lock, carry_out, slot_id)


def revert_review_decision(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Let an item wait again that was settled for a card whose turns are noted at the stops.

    Raises:
        CannotSettle, NotYours, ReasonNeeded, OtherBody: as for `take_back_decision`.
    """
    return revert_decision(actor, operation_id, item_id, reason, _revert_applied)


def _revert_applied(book: OperationContext, item: ReviewItem, unsettles: Mapping[str, str]) -> None:
    card = _lock(book, item)
    if card is None:
        raise CannotSettle
    changes = list_decision_reversals(book, item, card.turns)
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    judged = judge_card(card, after)
    if judged.problems or len({turn.slot_id for turn in after.values()}) < len(after):
        raise CannotSettle(judged.problems)
    append_changes(book, card, changes, unsettles)


def can_apply(item: ReviewItem) -> bool:
    """Whether the waiting operation is one that can be put in place by "apply"."""
    return item.operation.kind in ("turn", "amend", "retire")


def _lock(book: OperationContext, item: ReviewItem) -> CardState | None:
    """Lock what the item waits for: its card, or the contest's chain where it has none."""
    if item.card_id is None:
        book.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)
        return None
    try:
        return load_cards_for_update(book, [item.card_id])[item.card_id]
    except UnknownTarget:
        raise CannotSettle from None  # its bike was merged into another a moment ago


def _keep(book: OperationContext, card: CardState | None, item: ReviewItem) -> None:
    settles = make_settlement_data(item.operation, ReviewItem.Decision.KEEP)
    if card is not None:
        append_to_card(book, card, "settle", data=settles)
    else:
        book.append(book.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST), "settle", data=settles)


def _apply(
    book: OperationContext, card: CardState, operation: Operation, decision: ReviewItem.Decision, slot_id: UUID | None
) -> None:
    settles = make_settlement_data(operation, decision)
    if operation.kind == "turn":
        note = TurnInput.from_body(operation.body)
        if decision == ReviewItem.Decision.OTHER_SLOT:
            note = replace(note, slot_id=_check_free_slot(card, note.slot_id, slot_id))
        _apply_turn(book, card, note, settles)
    elif decision == ReviewItem.Decision.APPLY and operation.kind == "amend":
        _apply_amendment(book, card, operation, settles)
    elif decision == ReviewItem.Decision.APPLY and operation.kind == "retire":
        _apply_retirement(book, card, settles)
    else:
        raise CannotSettle


def _apply_turn(book: OperationContext, card: CardState, note: TurnInput, settles: Mapping[str, str]) -> None:
    actions = canonicalize_actions(card, note.actions)
    standing = card.get_turn(note.slot_id)
    judged = judge_turn(card, note.slot_id, actions, book.operation_id)
    if judged.problems:
        raise CannotSettle(judged.problems)
    if standing is None:
        if has_dice_set(book.actor.event_id, note.dice_set_id):
            card = replace(card, dice_set_id=note.dice_set_id)
        append_turn(book, card, note, actions, settles)
    else:
        change = TurnChange(standing.id, actions)
        append_to_card(book, card, "amend", data={"changes": [change.to_data()], **settles})


def _apply_amendment(book: OperationContext, card: CardState, operation: Operation, settles: Mapping[str, str]) -> None:
    """Put a waiting correction in place, whatever stands there now: the organiser has looked at both."""
    targets = [CorrectionTarget.from_data(target) for target in operation.body["targets"]]
    changes = []
    for target in targets:
        if target.turn_id not in card.turns:
            raise CannotSettle
        actions = None if target.actions is None else canonicalize_actions(card, target.actions)
        changes.append(TurnChange(target.turn_id, actions, target.slot_id))
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    judged = judge_card(card, after)
    if judged.problems or len({turn.slot_id for turn in after.values()}) < len(after):
        raise CannotSettle(judged.problems)
    append_changes(book, card, changes, settles)


def _apply_retirement(book: OperationContext, card: CardState, settles: Mapping[str, str]) -> None:
    actions, problems = judge_retirement(book, card)
    if problems:
        raise CannotSettle(problems)
    append_to_card(book, card, "retire", actions=actions, data=settles)


def _check_free_slot(card: CardState, wanted: UUID, chosen: UUID | None) -> UUID:
    if chosen is None or chosen not in list_free_slots(card, wanted):
        raise CannotSettle
    return chosen


def list_free_slots(card: CardState, slot_id: UUID) -> list[UUID]:
    """Return the free slots of the stop that a slot belongs to, in order."""
    return [slot for slot in card.contest.list_slots_at_same_stop(slot_id) if card.get_turn(slot) is None]
