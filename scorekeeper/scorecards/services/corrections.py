"""Corrections: amending and voiding turns, moving a turn to the right bike, and retiring a bike.

- A correction names each target with the sequence number last seen. If there is a newer one, it is a conflict.
- All its changes are judged together, so two boxes can be swapped even if one change alone would be illegal.
- A change that the rules do not allow is refused, naming the conflicting turn, and goes to review like every other
  operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from games.core.actions import Retire
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
    NotAllowed,
    OperationResult,
    Submission,
    UnknownTarget,
    check_reason,
    record,
    submit,
)
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, derive_turn_id
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange, Turns, apply_changes, canonicalize_actions
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.card_target import CardTarget
from scorekeeper.scorecards.services.cards import (
    append_to_card,
    check_can_record,
    create_card,
    load_card_for_update,
    load_cards_for_update,
)
from scorekeeper.scorecards.services.repeats import append_repeat, review_repeats
from scorekeeper.scorecards.services.review_causes import find_review_cause, send_to_review
from scorekeeper.scorecards.services.turns import SLOT_TAKEN, judge_card, judge_turn

MAX_TARGETS = 1_000  # turns or actions that one correction changes: more than the longest game at a table has
MAX_CORRECTION_LENGTH = 250_000  # characters of a correction's body; a target takes some 150

NEWER_ENTRY = problem_to_data(
    Problem(
        "newer_entry",
        NO_CLAUSE,
        gettext_noop("A newer entry is already there. Check the scorecard, then decide again."),
    )
)
SAME_BIKE = problem_to_data(
    Problem(
        "same_bike",
        NO_CLAUSE,
        gettext_noop("Both numbers are one bike now, so nothing moves unless they are separated again."),
    )
)


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
        ReasonRequired, MalformedOperation: as for `make_correction_body`.
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
    body = make_correction_body(operation_id, named, targets, reason)
    return record(operation_id, "amend", actor, body, handle, reason, MAX_CORRECTION_LENGTH)


def make_correction_body(
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


def list_touched_stops(card: CardState, targets: Sequence[CorrectionTarget]) -> set[UUID | None]:
    """Return the stops of the turns to change and of the slots they get; `NO_STOP` for a retirement.

    Turns that the card does not have are left out: they cannot be changed, so they go to review.
    """
    turns = [card.turns[target.turn_id] for target in targets if target.turn_id in card.turns]
    new_slots = [target.slot_id for target in targets if target.slot_id is not None]
    return {card.contest.get_stop_id(slot_id) for slot_id in (*(turn.slot_id for turn in turns), *new_slots)}


def apply_correction(
    context: OperationContext, card: CardState, targets: Sequence[CorrectionTarget]
) -> OperationResult:
    """Judge the changes together, then write them or send them to review."""
    touched = [target.turn_id for target in targets]
    if not are_unchanged(card.turns, targets):
        return send_to_review(context, card, ReviewItem.Reason.STALE, [NEWER_ENTRY], touched)
    changes = make_changes(card.contest, targets)
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    judged = judge_card(card, after)
    if cause := find_review_cause(context, is_sealed=card.chain.is_sealed):
        return send_to_review(context, card, cause.reason, [cause.problem, *judged.problems], touched)
    if len({turn.slot_id for turn in after.values()}) < len(after):
        return send_to_review(context, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], touched)
    if judged.problems:
        return send_to_review(
            context, card, ReviewItem.Reason.RULE, judged.problems, list(judged.conflicting_turns) or touched
        )
    append_changes(context, card, changes)
    return RECORDED


def are_unchanged(turns: Turns, targets: Sequence[CorrectionTarget]) -> bool:
    """Whether all targets are as they were last seen."""
    return all(target.turn_id in turns and turns[target.turn_id].seq == target.seq for target in targets)


def make_changes(contest: ContestRules, targets: Sequence[CorrectionTarget], seats: int = 1) -> list[TurnChange]:
    """Return the changes that the targets ask for, with their actions in canonical form."""
    return [
        TurnChange(
            target.turn_id,
            None if target.actions is None else canonicalize_actions(contest, target.actions, seats),
            target.slot_id,
        )
        for target in targets
    ]


def append_changes(
    context: OperationContext, card: CardState, changes: Sequence[TurnChange], data: Mapping[str, Any] | None = None
) -> None:
    """Append judged changes to their card. Repeats of turns that they void or move go to review.

    Args:
        data: more data for the entry.
    """
    append_to_card(context, card, "amend", data={"changes": [change.to_data() for change in changes], **(data or {})})
    review_removed_repeats(context, card, changes)


def review_removed_repeats(context: OperationContext, card: CardState, changes: Sequence[TurnChange]) -> None:
    """Send the repeats of turns that changes void or move to review. This locks the review chain, so it comes last.

    Args:
        card: the card before the changes.
    """
    removed = [change.turn_id for change in changes if _removes_turn(card, change)]
    review_repeats(context, card.chain, card.contest.id, removed)


def _removes_turn(card: CardState, change: TurnChange) -> bool:
    turn = card.turns.get(change.turn_id)
    if turn is None:
        return False  # the change restores it
    return change.actions is None or (change.slot_id is not None and change.slot_id != turn.slot_id)


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


def _review_move_within_card(context: OperationContext, card: CardState, turn_id: UUID) -> OperationResult:
    """Send a move between two numbers of one bike to review."""
    if cause := find_review_cause(context, is_sealed=card.chain.is_sealed):
        return send_to_review(context, card, cause.reason, [cause.problem, SAME_BIKE], [turn_id])
    return send_to_review(context, card, ReviewItem.Reason.SAME_BIKE, [SAME_BIKE], [turn_id])


def move_between_cards(
    context: OperationContext, source: CardState, target: CardState, turn_id: UUID, seq: int
) -> OperationResult:
    """Move a turn from one card to another, if the rules allow both cards afterwards."""
    turn = source.turns.get(turn_id)
    if turn is None or turn.seq != seq or turn.slot_id is None:
        return send_to_review(context, source, ReviewItem.Reason.STALE, [NEWER_ENTRY], [turn_id])
    removal = TurnChange(turn_id, None)
    without = judge_card(source, apply_changes(source.turns, [removal], source.chain.length + 1))
    arrived = judge_turn(target, turn.slot_id, turn.actions, derive_moved_turn_id(context, target, turn))
    if cause := find_review_cause(context, is_sealed=source.chain.is_sealed or target.chain.is_sealed):
        return send_to_review(context, source, cause.reason, [cause.problem], [turn_id])
    if target.get_turn(turn.slot_id) is not None:
        return send_to_review(context, source, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], [turn_id])
    if without.problems or arrived.problems:
        return send_to_review(
            context, source, ReviewItem.Reason.RULE, [*without.problems, *arrived.problems], [turn_id]
        )
    transfer_turns(context, source, target, [turn])
    review_repeats(context, source.chain, source.contest.id, [turn_id])
    return RECORDED


def transfer_turns(
    context: OperationContext,
    source: CardState,
    target: CardState,
    turns: Sequence[RecordedTurn],
    ids: Mapping[UUID, UUID] | None = None,
    data: Mapping[str, Any] | None = None,
) -> CardState:
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


def derive_moved_turn_id(context: OperationContext, target: CardState, turn: RecordedTurn) -> UUID:
    """Return the id that a turn gets on the card it is moved to."""
    return derive_turn_id(context.operation_id, target.id, turn.slot_id)


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
        actions, problems = judge_retirement(context, card)
        retired = card.get_turn(None)
        if retired is not None:
            return append_repeat(context, card.contest.id, card.chain, retired, actions, card)
        if cause := find_review_cause(context, is_sealed=card.chain.is_sealed):
            return send_to_review(context, card, cause.reason, [cause.problem], ())
        if problems:
            return send_to_review(context, card, ReviewItem.Reason.RULE, problems, ())
        append_to_card(context, card, "retire", actions=actions)
        return RECORDED

    return Submission(operation_id, "retire", actor, body, handle, reason, CardTarget.of_bike(contest_id, bike_id))


def _check_can_retire(actor: Actor, bike: Bike) -> None:
    """Raise `NotAllowed` unless the actor may bring a bike back: everyone who may retire it may do so."""
    if not actor.can_record("retire"):
        raise NotAllowed(bike.pk)


def judge_retirement(context: OperationContext, card: CardState) -> tuple[Actions, Sequence[Mapping[str, Any]]]:
    """Return the canonical actions of a retirement, and the rules' problems with it."""
    actions = canonicalize_actions(card.contest, [{"type": Retire.type}])
    retirement = RecordedTurn(context.operation_id, None, actions, card.chain.length + 1)
    return actions, judge_card(card, {**card.turns, retirement.id: retirement}).problems


def load_both_cards(
    context: OperationContext, contest_id: UUID, first: UUID, second: UUID
) -> tuple[CardState, CardState]:
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
    return list(Bike.objects.filter(pk__in=bikes).values_list("pk", "merged_into_id"))


def _to_tuple(actions: Sequence[Mapping[str, Any]] | None) -> Actions | None:
    return None if actions is None else tuple(actions)
