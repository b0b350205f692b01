"""Corrections: amending and voiding turns, moving one to the right bike, and a bike that leaves the ride.

A correction names its targets with the sequence number last seen of each; where something newer stands it is a
conflict. All its changes are judged together, so two boxes can be swapped where one change alone would be illegal.
What cannot stand is refused, naming the turn in the way, and waits in review like every other operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.actions import Retire
from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import derive_card_id, derive_turn_id
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.models import ReviewItem, Scorecard
from scorekeeper.scorecards.problem_messages import problem_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.selectors.withdrawals import was_withdrawn
from scorekeeper.scorecards.services.cards import (
    append_to_card,
    check_can_record,
    create_card,
    load_card_for_update,
    load_cards_for_update,
)
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import (
    MERGED,
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
from scorekeeper.scorecards.services.repeats import append_repeat, review_repeats
from scorekeeper.scorecards.services.turns import (
    SLOT_TAKEN,
    canonicalize_actions,
    find_review_cause,
    judge_card,
    judge_turn,
    send_to_review,
)

NEWER_ENTRY = problem_to_data(
    Problem(
        "newer_entry",
        NO_CLAUSE,
        gettext_noop("A newer entry is already there. Check the scorecard, then decide again."),
    )
)


@dataclass(frozen=True, slots=True)
class CorrectionTarget:
    """A turn to change, as it was last seen.

    Attributes:
        seq: the last entry of the chain that had touched the turn when it was looked at.
        actions: what should stand there instead; None voids the turn.
        slot_id: where it should stand, if elsewhere.
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
        """Return the target that a body holds."""
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
    """Correct or void turns of one card, all of them or none. A retirement that is voided brings the bike back.

    Raises:
        ReasonNeeded: there is none.
        Unreadable: no turn is named, or one twice.
        NotYet, NotYours, OtherBody: as for `record_turn`.
    """
    body = {
        "contest": str(contest_id),
        "bike": str(bike_id),
        "targets": [target.to_data() for target in targets],
        "takes_over": takes_over,
        "reason": reason,
    }

    def handle(book: OperationContext) -> OperationResult:
        card = load_card_for_update(book, contest_id, bike_id, by_log=True)
        check_can_record(actor, card.bike, takes_over)
        for target in targets:
            if target.slot_id is not None and target.slot_id not in card.contest.slots:
                raise UnknownTarget(target.slot_id)
        retirement = card.get_turn(None)
        if retirement is not None and any(target.turn_id == retirement.id for target in targets):
            _check_can_retire(actor, card.bike)
        return apply_correction(book, card, targets)

    check_reason(reason)
    if not targets or len({target.turn_id for target in targets}) < len(targets):
        raise MalformedOperation(operation_id)
    return record(operation_id, "amend", actor, body, handle, reason)


def apply_correction(book: OperationContext, card: CardState, targets: Sequence[CorrectionTarget]) -> OperationResult:
    """Judge the changes together, and write them or keep them for review."""
    touched = [target.turn_id for target in targets]
    if any(not _is_unchanged(card, target) for target in targets):
        return send_to_review(book, card, ReviewItem.Reason.STALE, [NEWER_ENTRY], touched)
    changes = [_make_change(card, target) for target in targets]
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    judged = judge_card(card, after)
    if hold := find_review_cause(book, is_sealed=card.chain.is_sealed):
        return send_to_review(book, card, hold.reason, [hold.problem, *judged.problems], touched)
    if len({turn.slot_id for turn in after.values()}) < len(after):
        return send_to_review(book, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], touched)
    if judged.problems:
        return send_to_review(
            book, card, ReviewItem.Reason.RULE, judged.problems, list(judged.conflicting_turns) or touched
        )
    append_changes(book, card, changes)
    return RECORDED


def append_changes(
    book: OperationContext, card: CardState, changes: Sequence[TurnChange], data: Mapping[str, Any] | None = None
) -> None:
    """Append judged changes to their card; repeats of turns that they void or move go to review.

    Args:
        data: what else the entry says.
    """
    append_to_card(book, card, "amend", data={"changes": [change.to_data() for change in changes], **(data or {})})
    gone = [change.turn_id for change in changes if _removes_turn(card, change)]
    review_repeats(book, card.chain, card.contest.id, gone)


def _removes_turn(card: CardState, change: TurnChange) -> bool:
    is_moved = change.slot_id is not None and change.slot_id != card.turns[change.turn_id].slot_id
    return change.actions is None or is_moved


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
    """Move a turn that was noted for the wrong bike to the same slot of the right one's card, in one step.

    Two numbers that have turned out to be one bike have nothing to move any more.

    Raises:
        ReasonNeeded: there is none.
        NotYet, NotYours, OtherBody: as for `record_turn`.
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

    def handle(book: OperationContext) -> OperationResult:
        source, target = _load_both_cards(book, contest_id, from_bike, to_bike)
        check_can_record(actor, source.bike, takes_over)
        check_can_record(actor, target.bike, takes_over)
        if source.id == target.id:
            return MERGED
        return move_between_cards(book, source, target, turn_id, seq)

    check_reason(reason)
    return record(operation_id, "move", actor, body, handle, reason)


def move_between_cards(
    book: OperationContext, source: CardState, target: CardState, turn_id: UUID, seq: int
) -> OperationResult:
    """Take a turn off one card and put it on another, if both may stand so."""
    turn = source.turns.get(turn_id)
    if turn is None or turn.seq != seq or turn.slot_id is None:
        return send_to_review(book, source, ReviewItem.Reason.STALE, [NEWER_ENTRY], [turn_id])
    void = TurnChange(turn_id, None)
    left = judge_card(source, apply_changes(source.turns, [void], source.chain.length + 1))
    arrived = judge_turn(target, turn.slot_id, turn.actions, derive_moved_turn_id(book, target, turn))
    if hold := find_review_cause(book, is_sealed=source.chain.is_sealed or target.chain.is_sealed):
        return send_to_review(book, source, hold.reason, [hold.problem], [turn_id])
    if target.get_turn(turn.slot_id) is not None:
        return send_to_review(book, source, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], [turn_id])
    if left.problems or arrived.problems:
        return send_to_review(book, source, ReviewItem.Reason.RULE, [*left.problems, *arrived.problems], [turn_id])
    transfer_turns(book, source, target, [turn])
    review_repeats(book, source.chain, source.contest.id, [turn_id])
    return RECORDED


def transfer_turns(
    book: OperationContext,
    source: CardState,
    target: CardState,
    turns: Sequence[RecordedTurn],
    ids: Mapping[UUID, UUID] | None = None,
) -> CardState:
    """Write turns off one card and onto another, each in its own slot; return the other as it stands then.

    Args:
        ids: what the turns are called there, by what they are called here; new ids where there is none.
    """
    ids = ids or {turn.id: derive_moved_turn_id(book, target, turn) for turn in turns}
    voids = [TurnChange(turn.id, None).to_data() for turn in turns]
    append_to_card(book, source, "moved_out", data={"changes": voids, "to": str(target.id)})
    for turn in turns:
        target = append_to_card(
            book,
            target,
            "moved_in",
            actions=turn.actions,
            slot_id=turn.slot_id,
            dice_set_id=None if turn.origin is None else turn.origin.dice_set_id,
            data={"turn": str(ids[turn.id]), "from": str(source.id)},
        )
    return target


def derive_moved_turn_id(book: OperationContext, target: CardState, turn: RecordedTurn) -> UUID:
    """Return the id that a turn gets on the card it is moved to."""
    return derive_turn_id(book.operation_id, target.id, turn.slot_id)


def retire_bike(actor: Actor, operation_id: UUID, contest_id: UUID, bike_id: UUID, reason: str) -> Receipt:
    """Record that a bike leaves the contest (TABLE-3): its points stand, and it ranks below all that stayed.

    Two may both have seen it leave; it does so once.

    Raises:
        ReasonNeeded: there is none.
        NotYours: also for a road captain of another group.
        NotYet, OtherBody: as for `record_turn`.
    """
    return submit(prepare_retirement(actor, operation_id, contest_id, bike_id, reason))


def prepare_retirement(actor: Actor, operation_id: UUID, contest_id: UUID, bike_id: UUID, reason: str) -> Submission:
    """Return the operation that records it."""
    body = {"contest": str(contest_id), "bike": str(bike_id), "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        card = load_card_for_update(book, contest_id, bike_id)
        check_can_record(actor, card.bike, takes_over=False)
        check_reason(reason)
        actions, problems = judge_retirement(book, card)
        retired = card.get_turn(None)
        if retired is not None:
            return append_repeat(book, card.contest.id, card.chain, retired, actions, card)
        if hold := find_review_cause(book, is_sealed=card.chain.is_sealed):
            return send_to_review(book, card, hold.reason, [hold.problem], ())
        if problems:
            return send_to_review(book, card, ReviewItem.Reason.RULE, problems, ())
        append_to_card(book, card, "retire", actions=actions)
        return RECORDED

    card_id = derive_card_id(contest_id, bike_id)
    return Submission(operation_id, "retire", actor, body, handle, reason, card_id, card_key=(contest_id, bike_id))


def _check_can_retire(actor: Actor, bike: Bike) -> None:
    """Raise `NotYours` unless the actor may bring a bike back: whoever may say that it leaves may."""
    if not actor.can_record("retire"):
        raise NotAllowed(bike.pk)


def judge_retirement(book: OperationContext, card: CardState) -> tuple[Actions, Sequence[Mapping[str, Any]]]:
    """Return what a retirement is written as, and what the rules say against it."""
    actions = canonicalize_actions(card, [{"type": Retire.type}])
    leaving = RecordedTurn(book.operation_id, None, actions, card.chain.length + 1)
    return actions, judge_card(card, {**card.turns, leaving.id: leaving}).problems


def _load_both_cards(book: OperationContext, contest_id: UUID, one: UUID, other: UUID) -> tuple[CardState, CardState]:
    """Lock the cards of two bikes, in the order of their ids, and make them if they are missing."""
    bikes = {bike: merged or bike for bike, merged in _list_merged_bikes([one, other])}
    if len(bikes) < 2:
        if was_withdrawn(book.actor.event_id, other):
            raise BikeWithdrawn(other)
        raise UnknownTarget(other)
    ids = {bike: derive_card_id(contest_id, owner) for bike, owner in bikes.items()}
    # Cards are drawn up before any is locked: whoever closes the contest locks its row first, then the cards.
    if Scorecard.objects.filter(pk__in=ids.values()).count() < len(set(ids.values())):
        for owner in bikes.values():
            create_card(book, contest_id, owner)
    opened = load_cards_for_update(book, ids.values())
    if len(opened) < len(set(ids.values())):
        raise UnknownTarget(one, other)  # one was merged this very moment
    return opened[ids[one]], opened[ids[other]]


def _list_merged_bikes(bikes: Sequence[UUID]) -> list[tuple[UUID, UUID | None]]:
    return list(Bike.objects.filter(pk__in=bikes).values_list("pk", "merged_into_id"))


def _is_unchanged(card: CardState, target: CorrectionTarget) -> bool:
    turn = card.turns.get(target.turn_id)
    return turn is not None and turn.seq == target.seq


def _make_change(card: CardState, target: CorrectionTarget) -> TurnChange:
    actions = None if target.actions is None else canonicalize_actions(card, target.actions)
    return TurnChange(target.turn_id, actions, target.slot_id)


def _to_tuple(actions: Sequence[Mapping[str, Any]] | None) -> Actions | None:
    return None if actions is None else tuple(actions)
