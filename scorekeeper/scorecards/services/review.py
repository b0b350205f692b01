"""The organiser's decisions on entries under review. A decision is an operation with a reason, like any other.

- *Keep* keeps the current entry and dismisses the entry under review. This is always possible, so nothing stays in
  review for ever.
- *Apply* uses the entry under review, in place of the current entry. A move is written to both bikes' cards.
- *Other slot* records it in another free slot of the same stop.

Each decision is written to the card's chain. A move that was accepted is reverted on both cards, or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Operation, ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import UnknownTarget
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.fold import TurnChange, apply_changes, canonicalize_actions
from scorekeeper.scorecards.services.cards import append_to_card, has_dice_set, load_cards_for_update
from scorekeeper.scorecards.services.corrections import (
    SAME_BIKE,
    append_changes,
    derive_moved_turn_id,
    judge_retirement,
    load_both_cards,
    make_changes,
    review_removed_repeats,
    transfer_turns,
)
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.scorecards.services.review_decisions import (
    BIKE_MERGED,
    TURN_GONE,
    CannotDecide,
    get_current_id,
    list_current_targets,
    list_decided_cards,
    list_decision_reversals,
    make_decision_data,
    record_decision,
    revert_decision,
)
from scorekeeper.scorecards.services.turns import TurnInput, append_turn, judge_card, judge_turn
from scorekeeper.stops.models import Slot

SLOT_FILLED = Problem(
    "slot_filled", NO_CLAUSE, gettext_noop("Another turn is recorded there now. Void or move that turn first.")
)
BIKE_GONE = Problem("bike_gone", NO_CLAUSE, gettext_noop("The other bike is no longer on this ride."))
ALREADY_RETIRED = Problem("already_retired", NO_CLAUSE, gettext_noop("The bike has been retired again since."))


def decide_review(
    actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str, slot_id: UUID | None = None
) -> Receipt:
    """Decide on one review item of a card whose turns are recorded at the stops.

    Args:
        decision: a value of `ReviewItem.Decision`.
        slot_id: for "other_slot", the free slot to use.

    Raises:
        CannotDecide, NotAllowed, ReasonRequired, IdReused: as for every decision (see `record_decision`).
    """

    def lock(context: OperationContext, item: ReviewItem) -> tuple[CardState | None, CardState | None]:
        """Return the item's card, and for a move that is to be applied, the card it goes to."""
        if decision == ReviewItem.Decision.APPLY and item.operation.kind == "move":
            return _lock_both(context, item)
        return _lock(context, item), None

    def execute(context: OperationContext, cards: tuple[CardState | None, CardState | None], item: ReviewItem) -> None:
        card, target = cards
        if decision == ReviewItem.Decision.KEEP:
            _keep(context, card, item)
        elif card is not None and target is not None:
            _apply_move(context, card, target, item.operation)
        elif card is not None:
            _apply(context, card, item.operation, ReviewItem.Decision(decision), slot_id)
        else:
            raise CannotDecide

    return record_decision(actor, operation_id, item_id, decision, reason, lock, execute, slot_id)


def revert_review_decision(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Revert the decision on an item of a card whose turns are recorded at the stops; the item is under review again.

    Raises:
        CannotDecide, NotAllowed, ReasonRequired, IdReused: as for `revert_decision`.
    """
    return revert_decision(actor, operation_id, item_id, reason, _revert_applied)


def _revert_applied(context: OperationContext, item: ReviewItem, reversal: Mapping[str, str]) -> None:
    """Write the reverting changes to every card that the decision was written to. Only the item's names the item."""
    if item.card_id is None:
        raise CannotDecide
    try:
        cards = load_cards_for_update(context, {item.card_id, *list_decided_cards(item)})
    except DamagedCard:
        raise CannotDecide from None
    except UnknownTarget:
        raise CannotDecide([BIKE_MERGED]) from None
    changes = {card_id: list_decision_reversals(context, item, card_id, card.turns) for card_id, card in cards.items()}
    for card_id, card in cards.items():
        _check_changes(card, changes[card_id])
    for card_id, card in sorted(cards.items()):
        append_to_card(
            context,
            card,
            "amend",
            data={
                "changes": [change.to_data() for change in changes[card_id]],
                **(reversal if card_id == item.card_id else {}),
            },
        )
    for card_id, card in sorted(cards.items()):
        review_removed_repeats(context, card, changes[card_id])


def _check_changes(card: CardState, changes: Sequence[TurnChange]) -> None:
    """Raise `CannotDecide` unless the changes are possible together: one turn for each slot, and within the rules."""
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    slots = Counter(turn.slot_id for turn in after.values())
    taken = [slot for slot, count in slots.items() if count > 1]
    if taken:
        raise CannotDecide(_explain_taken_slots(card, taken))
    judged = judge_card(card, after)
    if judged.problems:
        raise CannotDecide(judged.problems)


def _explain_taken_slots(card: CardState, taken: Sequence[UUID | None]) -> list[dict[str, Any]]:
    """Return for each slot that would have two turns that it is taken, as data that names the bike and the stop."""
    names = dict(Slot.objects.filter(contest_id=card.contest.id).values_list("pk", "stop__name"))
    problems = []
    for slot in taken:
        params = {"bike": card.bike, "stop": "" if slot is None else names.get(slot, "")}
        about = None if slot is None else _("Bike %(bike)s, %(stop)s") % params
        problems.append(problem_to_data(ALREADY_RETIRED if slot is None else SLOT_FILLED, about))
    return problems


def _lock(context: OperationContext, item: ReviewItem) -> CardState | None:
    """Lock the item's card, or the contest's chain if it has none."""
    if item.card_id is None:
        context.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)
        return None
    try:
        return load_cards_for_update(context, [item.card_id])[item.card_id]
    except UnknownTarget:
        raise CannotDecide from None  # its bike has just been merged into another


def _lock_both(context: OperationContext, item: ReviewItem) -> tuple[CardState, CardState]:
    """Lock the cards of both bikes of a move."""
    body = item.operation.body
    try:
        source, target = load_both_cards(context, item.contest_id, UUID(body["bike"]), UUID(body["to_bike"]))
    except UnknownTarget:
        raise CannotDecide([problem_to_data(BIKE_GONE)]) from None
    if source.id != item.card_id or source.id == target.id:
        raise CannotDecide([SAME_BIKE])
    return source, target


def _keep(context: OperationContext, card: CardState | None, item: ReviewItem) -> None:
    decision_data = make_decision_data(item.operation, ReviewItem.Decision.KEEP)
    if card is not None:
        append_to_card(context, card, "settle", data=decision_data)
    else:
        context.append(context.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST), "settle", data=decision_data)


def _apply(
    context: OperationContext,
    card: CardState,
    operation: Operation,
    decision: ReviewItem.Decision,
    slot_id: UUID | None,
) -> None:
    decision_data = make_decision_data(operation, decision)
    if operation.kind == "turn":
        turn_input = TurnInput.from_body(operation.body)
        if decision == ReviewItem.Decision.OTHER_SLOT:
            turn_input = replace(turn_input, slot_id=_check_free_slot(card, turn_input.slot_id, slot_id))
        _apply_turn(context, card, turn_input, decision_data)
    elif decision == ReviewItem.Decision.APPLY and operation.kind == "amend":
        _apply_amendment(context, card, operation, decision_data)
    elif decision == ReviewItem.Decision.APPLY and operation.kind == "retire":
        _apply_retirement(context, card, decision_data)
    else:
        raise CannotDecide


def _apply_turn(
    context: OperationContext, card: CardState, turn_input: TurnInput, decision_data: Mapping[str, str]
) -> None:
    actions = canonicalize_actions(card.contest, turn_input.actions)
    current = card.get_turn(turn_input.slot_id)
    judged = judge_turn(card, turn_input.slot_id, actions, context.operation_id)
    if judged.problems:
        raise CannotDecide(judged.problems)
    if current is None:
        if has_dice_set(context.actor.event_id, turn_input.dice_set_id):
            card = replace(card, dice_set_id=turn_input.dice_set_id)
        append_turn(context, card, turn_input, actions, decision_data, judged)
    else:
        change = TurnChange(current.id, actions)
        append_to_card(context, card, "amend", data={"changes": [change.to_data()], **decision_data})


def _apply_amendment(
    context: OperationContext, card: CardState, operation: Operation, decision_data: Mapping[str, str]
) -> None:
    changes = make_changes(card.contest, list_current_targets(operation, card.turns))
    _check_changes(card, changes)
    append_changes(context, card, changes, decision_data)


def _apply_move(context: OperationContext, source: CardState, target: CardState, operation: Operation) -> None:
    """Apply a move under review, whatever has been recorded since, if the rules allow both cards afterwards."""
    turn = source.turns[get_current_id(UUID(operation.body["turn"]), source.turns)]
    if turn.slot_id is None:
        raise CannotDecide([problem_to_data(TURN_GONE)])
    if target.get_turn(turn.slot_id) is not None:
        raise CannotDecide(_explain_taken_slots(target, [turn.slot_id]))
    removal = TurnChange(turn.id, None)
    without = judge_card(source, apply_changes(source.turns, [removal], source.chain.length + 1))
    arrived = judge_turn(target, turn.slot_id, turn.actions, derive_moved_turn_id(context, target, turn))
    if without.problems or arrived.problems:
        raise CannotDecide([*without.problems, *arrived.problems])
    decision_data = make_decision_data(operation, ReviewItem.Decision.APPLY)
    transfer_turns(context, source, target, [turn], data=decision_data)
    review_removed_repeats(context, source, [removal])


def _apply_retirement(context: OperationContext, card: CardState, decision_data: Mapping[str, str]) -> None:
    actions, problems = judge_retirement(context, card)
    if problems:
        raise CannotDecide(problems)
    append_to_card(context, card, "retire", actions=actions, data=decision_data)


def _check_free_slot(card: CardState, wanted: UUID, chosen: UUID | None) -> UUID:
    if chosen is None or chosen not in list_free_slots(card, wanted):
        raise CannotDecide
    return chosen


def list_free_slots(card: CardState, slot_id: UUID) -> list[UUID]:
    """Return the free slots of the stop that a slot belongs to, in order."""
    return [slot for slot in card.contest.list_slots_at_same_stop(slot_id) if card.get_turn(slot) is None]
