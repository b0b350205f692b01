"""Moving a turn that was recorded for the wrong bike to the right bike's card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import problem_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    BikeWithdrawn,
    MalformedOperation,
    OperationResult,
    UnknownTarget,
    check_reason,
    record,
)
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.contest_rules import derive_card_id, derive_turn_id
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.services.cards import (
    append_to_card,
    check_can_record,
    create_card,
    load_cards_for_update,
)
from scorekeeper.scorecards.services.outcomes import NEWER_ENTRY, SLOT_TAKEN, find_review_cause, send_to_review
from scorekeeper.scorecards.services.repeats import review_repeats

SAME_BIKE = problem_to_data(
    Problem(
        "same_bike",
        NO_CLAUSE,
        gettext_noop("Both numbers are one bike now, so nothing moves unless they are separated again."),
    )
)


def move_turn(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    from_bike: UUID,
    to_bike: UUID,
    turn_id: UUID,
    seq: int,
    reason: str,
    takes_over: bool = False,
) -> Receipt:
    """Move a turn that was recorded for the wrong bike to the same slot of the right bike's card, in one step.

    If both numbers have been merged into one bike, nothing moves now. The move goes to review, since undoing the merge
    would bring the turn back to the wrong bike.

    Raises:
        ReasonRequired: there is no reason.
        MalformedOperation: both bikes are the same.
        UnknownTarget, NotAllowed, IdReused: as for `record_turn`.
    """
    body = {
        "contest": str(contest_id),
        "bike": str(from_bike),
        "to_bike": str(to_bike),
        "turn": str(turn_id),
        "seq": seq,
        "takes_over": takes_over,
        "reason": reason,
    }

    def handle(context: OperationContext) -> OperationResult:
        source, target = load_both_cards(context, contest_id, from_bike, to_bike)
        turn = source.turns.get(turn_id)
        stop_ids = [] if turn is None else [source.contest.get_stop_id(turn.slot_id)]
        check_can_record(actor, source.bike, takes_over, stop_ids)
        check_can_record(actor, target.bike, takes_over, stop_ids)
        if source.id == target.id:
            return _review_move_within_card(context, source, turn_id)
        return move_between_cards(context, source, target, turn_id, seq)

    check_reason(reason)
    if from_bike == to_bike:
        raise MalformedOperation(gettext("The turn is on this bike already. Choose another bike."))
    return record(operation_id, "move", actor, body, handle, reason)


def _review_move_within_card(context: OperationContext, card: BikeCard, turn_id: UUID) -> OperationResult:
    """Send a move between two numbers of one bike to review."""
    if cause := find_review_cause(context, is_sealed=card.is_sealed):
        return send_to_review(context, card, cause.reason, [cause.problem, SAME_BIKE], [turn_id])
    return send_to_review(context, card, ReviewItem.Reason.SAME_BIKE, [SAME_BIKE], [turn_id])


def move_between_cards(
    context: OperationContext, source: BikeCard, target: BikeCard, turn_id: UUID, seq: int
) -> OperationResult:
    """Move a turn from one card to another, if the rules allow both cards afterwards."""
    turn = source.turns.get(turn_id)
    if turn is None or turn.seq != seq or turn.slot_id is None:
        return send_to_review(context, source, ReviewItem.Reason.STALE, [NEWER_ENTRY], [turn_id])
    problems = list_move_problems(context, source, target, turn)
    if cause := find_review_cause(context, is_sealed=source.is_sealed or target.is_sealed):
        return send_to_review(context, source, cause.reason, [cause.problem], [turn_id])
    if target.get_turn(turn.slot_id) is not None:
        return send_to_review(context, source, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], [turn_id])
    if problems:
        return send_to_review(context, source, ReviewItem.Reason.RULE, problems, [turn_id])
    transfer_turns(context, source, target, [turn])
    review_repeats(context, source, [turn_id])
    return RECORDED


def list_move_problems(
    context: OperationContext, source: BikeCard, target: BikeCard, turn: RecordedTurn
) -> list[Mapping[str, Any]]:
    """Return why the rules do not allow one of the cards once a turn has moved to the other, as data."""
    without = judge_changes(source, [TurnChange(turn.id, None)])
    arrived = target.judge_turn(derive_moved_turn_id(context, target, turn), turn.actions, turn.slot_id)
    return [*without.problems, *arrived.problems]


def transfer_turns(
    context: OperationContext,
    source: BikeCard,
    target: BikeCard,
    turns: Sequence[RecordedTurn],
    ids: Mapping[UUID, UUID] | None = None,
    data: Mapping[str, Any] | None = None,
) -> BikeCard:
    """Write the move of turns from one card to another, each in its own slot, and return the target's new state.

    Args:
        ids: the turns' ids on the target, by their ids on the source; without it, new ids are derived.
        data: more data for the source's entry.
    """
    ids = ids or {turn.id: derive_moved_turn_id(context, target, turn) for turn in turns}
    voids = [TurnChange(turn.id, None).to_data() for turn in turns]
    append_to_card(context, source, "moved_out", data={"changes": voids, "to": str(target.id), **(data or {})})
    for turn in turns:
        target = append_to_card(
            context,
            target,
            "moved_in",
            actions=turn.actions,
            slot_id=turn.slot_id,
            dice_set_id=None if turn.origin is None else turn.origin.dice_set_id,
            data={"turn": str(ids[turn.id]), "from": str(source.id)},
        )
    return target


def derive_moved_turn_id(context: OperationContext, target: BikeCard, turn: RecordedTurn) -> UUID:
    """Return the id that a turn gets on the card it is moved to."""
    return derive_turn_id(context.operation_id, target.id, turn.slot_id)


def load_both_cards(
    context: OperationContext, contest_id: UUID, first: UUID, second: UUID
) -> tuple[BikeCard, BikeCard]:
    """Lock the cards of two bikes, in the order of their ids, and create missing ones.

    Raises:
        UnknownTarget: there is no such contest or bike, or a bike has just been merged into another.
        BikeWithdrawn: the registration of the second bike was undone.
        NotAllowed: the contest belongs to another event than the actor.
    """
    bikes = {bike: merged or bike for bike, merged in _list_merged_bikes([first, second])}
    if len(bikes) < 2:
        if was_withdrawn(context.actor.event_id, second):
            raise BikeWithdrawn(second)
        raise UnknownTarget(second)
    ids = {bike: derive_card_id(contest_id, owner) for bike, owner in bikes.items()}
    # Create cards before locking any: closing the contest locks its row first, then the cards.
    if Scorecard.objects.filter(pk__in=ids.values()).count() < len(set(ids.values())):
        for owner in bikes.values():
            create_card(context, contest_id, owner)
    cards = load_cards_for_update(context, ids.values())
    if len(cards) < len(set(ids.values())):
        raise UnknownTarget(first, second)  # one has just been merged
    return cards[ids[first]], cards[ids[second]]


def _list_merged_bikes(bikes: Sequence[UUID]) -> list[tuple[UUID, UUID | None]]:
    return list(Bike.entrants.filter(pk__in=bikes).values_list("pk", "merged_into_id"))
