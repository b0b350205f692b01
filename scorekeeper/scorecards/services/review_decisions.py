"""Recording and reverting decisions on review items, for every kind of card.

A decision is made once, by the organiser, with a reason. It locks the item's card or contest, checks that nobody else
decided first, executes the decision and marks the item, all in the transaction of one operation. The entry it writes
names the operation it settles, so that the log alone shows the result of every operation.

A decision can be reverted in the same way: the item is in review again, and what was accepted no longer counts. What an
accepted correction had voided counts again. This is refused once something newer depends on it; then the card has to be
corrected instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    RecordingError,
    check_reason,
    record,
)
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.fold import TurnChange, Turns, list_reverting_changes
from scorekeeper.scorecards.selectors.review_turns import find_current_id
from scorekeeper.scorecards.services.corrections import CorrectionTarget

NOT_DECIDED = problem_to_data(
    Problem("not_decided", NO_CLAUSE, gettext_noop("Someone else has already undone this decision."))
)
BIKE_MERGED = problem_to_data(
    Problem(
        "bike_merged",
        NO_CLAUSE,
        gettext_noop("A bike of this entry was merged, or a merge was undone, after the decision."),
    )
)
CHANGED_SINCE = problem_to_data(
    Problem("changed_since", NO_CLAUSE, gettext_noop("What was accepted has been corrected, voided or moved since."))
)
TURN_GONE = Problem(
    "turn_gone",
    NO_CLAUSE,
    gettext_noop("This is no longer on the scorecard: it was voided or moved, or it needs your decision first."),
)

C = TypeVar("C")
# Removes what was accepted from an item's card, in an entry with this data, or raises `CannotDecide`.
RevertApplied = Callable[[OperationContext, ReviewItem, Mapping[str, str]], None]


class CannotDecide(RecordingError):
    """The decision is not possible; nothing was written and the item is unchanged.

    Attributes:
        problems: why, as data: the rules' problems with it, or what has changed since; empty if the item was already
            decided, or this decision is not possible for this kind of operation.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]] = ()):
        super().__init__(problems)
        self.problems = tuple(problems)


def record_decision(
    actor: Actor,
    operation_id: UUID,
    item_id: UUID,
    decision: str,
    reason: str,
    lock: Callable[[OperationContext, ReviewItem], C],
    execute: Callable[[OperationContext, C, ReviewItem], None],
    slot_id: UUID | None = None,
) -> Receipt:
    """Record the decision on one item.

    Args:
        decision: a value of `ReviewItem.Decision`.
        lock: locks the item's card or contest and returns its state.
        execute: writes what was decided.
        slot_id: for "other_slot", the slot to use.

    Raises:
        CannotDecide: the decision is not possible.
        NotAllowed: there is no such item in the actor's event, or the actor is not an organiser.
        ReasonRequired: there is no reason.
        IdReused: the id was used for something else.
    """
    slot = None if slot_id is None else str(slot_id)
    body = {"review": str(item_id), "decision": decision, "slot": slot, "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        item = _find_item(actor, item_id)
        locked = lock(context, item)
        # Check only now, with the card locked, whether someone else decided first.
        item.refresh_from_db(fields=["settled_at"])
        if item.settled_at is not None or decision not in ReviewItem.Decision.values:
            raise CannotDecide
        execute(context, locked, item)
        item.settled_at, item.decision = context.now, decision
        item.settled_by_id = context.operation_id
        context.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "settle", actor, body, handle, reason)


def revert_decision(
    actor: Actor, operation_id: UUID, item_id: UUID, reason: str, revert_applied: RevertApplied
) -> Receipt:
    """Revert the decision on an item, which is under review again.

    Args:
        revert_applied: removes what was accepted from the card.

    Raises:
        CannotDecide: the item is not decided, something newer depends on what was accepted, or a bike has been merged
            or unmerged since. Its problems say which.
        NotAllowed: there is no such item in the actor's event, or the actor is not an organiser.
        ReasonRequired: there is no reason.
        IdReused: the id was used for something else.
    """
    body = {"review": str(item_id), "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        item = _find_item(actor, item_id)
        decided_by = item.settled_by_id
        chain = _lock_chains(context, item)
        # Check only now, with the chains locked, whether someone else was first.
        item.refresh_from_db(fields=["settled_at", "decision", "settled_by"])
        if item.settled_at is None or item.settled_by_id != decided_by:
            raise CannotDecide([NOT_DECIDED])
        if chain.is_alias or _was_unmerged(item):
            raise CannotDecide([BIKE_MERGED])
        reversal = {"unsettles": str(item.operation_id), "decision": item.decision}
        if item.decision == ReviewItem.Decision.KEEP:
            context.append(chain, "unsettle", data=reversal)
        else:
            revert_applied(context, item, reversal)
        context.mark_stale(item.contest_id, item.card_id)
        item.settled_at, item.decision, item.settled_by = None, "", None
        context.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "unsettle", actor, body, handle, reason)


def list_decision_reversals(
    context: OperationContext, item: ReviewItem, card_id: UUID, turns: Turns
) -> Sequence[TurnChange]:
    """Return the changes that remove an accepted operation from a card, which is locked.

    Args:
        card_id: the item's card, or another one that the decision wrote to.
        turns: the card's current turns.

    Raises:
        CannotDecide: something newer depends on it, or it was decided by a version that did not log its changes.
    """
    assert item.settled_by_id is not None, "the caller has checked that it is decided"
    changes = list_reverting_changes(context.unit_of_work.list_entries(card_id), item.settled_by_id, turns)
    if changes is None:
        raise CannotDecide([CHANGED_SINCE])
    return changes


def _find_item(actor: Actor, item_id: UUID) -> ReviewItem:
    items = ReviewItem.objects.select_related("operation").filter(contest__event_id=actor.event_id)
    item = items.filter(pk=item_id).first()
    if item is None:
        raise NotAllowed(item_id)
    return item


def _lock_chains(context: OperationContext, item: ReviewItem) -> Chain:
    """Lock the cards that the decision was written to. Return the item's, or the contest's chain if it has no card."""
    if item.card_id is None:
        return context.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)
    return context.lock_chains({item.card_id, *list_decided_cards(item)})[item.card_id]


def list_decided_cards(item: ReviewItem) -> list[UUID]:
    """Return the ids of the cards that the decision on an item was written to: two for a move."""
    if item.settled_by_id is None:
        return []
    written = Entry.objects.filter(operation_id=item.settled_by_id, chain__kind=Chain.Kind.CARD)
    return sorted(set(written.values_list("chain_id", flat=True)))


def _was_unmerged(item: ReviewItem) -> bool:
    """Whether the item was decided on the card of another bike that its own was merged into then, but no longer is."""
    bike = Bike.objects.filter(pk=item.operation.body.get("bike")).first()
    return bike is not None and item.card_id not in (
        None,
        derive_card_id(item.contest_id, bike.merged_into_id or bike.pk),
    )


def make_decision_data(operation: Operation, decision: str) -> dict[str, str]:
    """Return an entry's data about the operation that it settles."""
    return {"settles": str(operation.pk), "decision": decision}


def get_current_id(turn_id: UUID, turns: Turns) -> UUID:
    """Return the id under which a turn that an operation names is current.

    Raises:
        CannotDecide: the turn no longer counts.
    """
    current_id = find_current_id(turn_id, turns)
    if current_id is None:
        raise CannotDecide([problem_to_data(TURN_GONE)])
    return current_id


def list_current_targets(operation: Operation, turns: Turns) -> list[CorrectionTarget]:
    """Return what a correction under review changes, whatever was recorded since: the organiser has seen both.

    Raises:
        CannotDecide: one of the turns no longer counts.
    """
    targets = map(CorrectionTarget.from_data, operation.body["targets"])
    return [replace(target, turn_id=get_current_id(target.turn_id, turns)) for target in targets]
