"""The organiser's decisions on entries under review, for both kinds of card.

- *Keep* keeps the current entry and dismisses the entry under review. Even where a table was withdrawn meanwhile, an
  entry can be dismissed, so nothing stays in review for ever.
- *Apply* uses the entry under review, in place of the current entry; at a table, after all current ones. A move is
  written to both bikes' cards.
- *Other slot* records it in another free slot of the same stop.

A decision is an operation with a reason, like any other. It locks the item's card, checks that nobody else decided
first, and marks the item. The entry it writes names the operation it settles, so that the log alone shows the result of
every operation.

A decision can be reverted in the same way: the item is in review again, and what was accepted no longer counts. What an
accepted correction had voided counts again. This is refused once something newer depends on it; then the card has to be
corrected instead. A move that was accepted is reverted on both cards, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.problem_messages import Subject, problem_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    RecordingError,
    UnknownTarget,
    check_reason,
    record,
)
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import TurnChange, Turns, canonicalize_actions, list_reverting_changes
from scorekeeper.scorecards.recorded_card import CardJudgement, RecordedCard, judge_changes
from scorekeeper.scorecards.selectors.review_turns import find_current_id
from scorekeeper.scorecards.services.cards import append_to_card, has_dice_set
from scorekeeper.scorecards.services.corrections import (
    CorrectionTarget,
    append_changes,
    make_changes,
    review_removed_repeats,
)
from scorekeeper.scorecards.services.moves import SAME_BIKE, list_move_problems, load_both_cards, transfer_turns
from scorekeeper.scorecards.services.retirement import judge_retirement
from scorekeeper.scorecards.services.turns import TurnInput

DecisionData = Mapping[str, str]  # what an entry says about the operation that it settles

NOT_DECIDED = Problem("not_decided", NO_CLAUSE, gettext_noop("Someone else has already undone this decision."))
BIKE_MERGED = Problem(
    "bike_merged",
    NO_CLAUSE,
    gettext_noop("A bike of this entry was merged, or a merge was undone, after the decision."),
)
CHANGED_SINCE = Problem(
    "changed_since", NO_CLAUSE, gettext_noop("What was accepted has been corrected, voided or moved since.")
)
TURN_GONE = Problem(
    "turn_gone",
    NO_CLAUSE,
    gettext_noop("This is no longer on the scorecard: it was voided or moved, or it needs your decision first."),
)
SLOT_FILLED = Problem(
    "slot_filled", NO_CLAUSE, gettext_noop("Another turn is recorded there now. Void or move that turn first.")
)
BIKE_AT_STOP = gettext_noop("Bike %(bike)s, %(stop)s")
BIKE_AT_TURN = gettext_noop("Bike %(bike)s, %(stop)s, turn %(number)s")
BIKE_GONE = Problem("bike_gone", NO_CLAUSE, gettext_noop("The other bike is no longer at this event."))
ALREADY_RETIRED = Problem("already_retired", NO_CLAUSE, gettext_noop("The bike has been retired again since."))


class CannotDecide(RecordingError):
    """The decision is not possible; nothing was written and the item is unchanged.

    Attributes:
        problems: why, as data: the rules' problems with it, or what has changed since; empty if the item was already
            decided, or this decision is not possible for this kind of operation.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]] = ()):
        super().__init__(problems)
        self.problems = tuple(problems)

    @classmethod
    def because(cls, problem: Problem) -> CannotDecide:
        """Return the error with one problem."""
        return cls([problem_to_data(problem)])


def decide_review(
    actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str, slot_id: UUID | None = None
) -> Receipt:
    """Decide on one review item.

    Args:
        decision: a value of `ReviewItem.Decision`.
        slot_id: for "other_slot", the free slot to use.

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
        is_move = decision == ReviewItem.Decision.APPLY and item.operation.kind == "move"
        card, target = _lock_both(context, item) if is_move else (_lock(context, item), None)
        # Check only now, with the card locked, whether someone else decided first.
        item.refresh_from_db(fields=["settled_at"])
        if item.settled_at is not None or decision not in ReviewItem.Decision.values:
            raise CannotDecide
        data = {"settles": str(item.operation.pk), "decision": decision}
        if decision == ReviewItem.Decision.KEEP:
            _keep(context, card, item, data)
        elif card is None:
            raise CannotDecide
        elif target is not None and isinstance(card, BikeCard):
            _apply_move(context, card, target, item.operation.body, data)
        else:
            _apply(context, card, item, ReviewItem.Decision(decision), slot_id, data)
        item.settled_at, item.decision = context.now, decision
        item.settled_by_id = context.operation_id
        context.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "settle", actor, body, handle, reason)


def revert_review_decision(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Revert the decision on an item, which is under review again.

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
        chains = _lock_chains(context, item)
        # Check only now, with the chains locked, whether someone else was first.
        item.refresh_from_db(fields=["settled_at", "decision", "settled_by"])
        if item.settled_at is None or item.settled_by_id != decided_by:
            raise CannotDecide.because(NOT_DECIDED)
        if any(chain.is_alias for chain in chains) or _was_unmerged(item):
            raise CannotDecide.because(BIKE_MERGED)
        reversal = {"unsettles": str(item.operation_id), "decision": item.decision}
        if item.decision == ReviewItem.Decision.KEEP:
            context.append(context.get_chain(item.card_id or item.contest_id), "unsettle", data=reversal)
        else:
            _revert_applied(context, item, [chain.pk for chain in chains], reversal)
        context.mark_stale(item.contest_id, item.card_id)
        item.settled_at, item.decision, item.settled_by = None, "", None
        context.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "unsettle", actor, body, handle, reason)


def _find_item(actor: Actor, item_id: UUID) -> ReviewItem:
    items = ReviewItem.objects.select_related("operation").filter(contest__event_id=actor.event_id)
    item = items.filter(pk=item_id).first()
    if item is None:
        raise NotAllowed(item_id)
    return item


def _lock(context: OperationContext, item: ReviewItem) -> RecordedCard | None:
    """Lock the item's card and return it; None if it has none, or none that can be recorded on.

    Then the contest's chain or the card's is locked, and the item can only be dismissed.
    """
    if item.card_id is None:
        context.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)
        return None
    try:
        return _lock_card(context, item, item.card_id)
    except UnknownTarget:
        if context.get_chain(item.card_id).is_alias:
            raise CannotDecide from None  # its bike has just been merged into another
        return None


def _lock_card(context: OperationContext, item: ReviewItem, card_id: UUID) -> RecordedCard:
    return get_kind(get_contest_rules(item.contest_id).ruleset.game).lock_card(context, card_id)


def _lock_both(context: OperationContext, item: ReviewItem) -> tuple[BikeCard, BikeCard]:
    """Lock the cards of both bikes of a move."""
    body = item.operation.body
    try:
        source, target = load_both_cards(context, item.contest_id, UUID(body["bike"]), UUID(body["to_bike"]))
    except UnknownTarget:
        raise CannotDecide.because(BIKE_GONE) from None
    if source.id != item.card_id or source.id == target.id:
        raise CannotDecide([SAME_BIKE])
    return source, target


def _lock_chains(context: OperationContext, item: ReviewItem) -> list[Chain]:
    """Lock and return the chains that the decision was written to, or the contest's if the item has no card."""
    if item.card_id is None or item.settled_by_id is None:
        return [context.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)]
    written = Entry.objects.filter(operation_id=item.settled_by_id, chain__kind=Chain.Kind.CARD)
    wanted = sorted({item.card_id, *written.values_list("chain_id", flat=True)})
    chains = context.lock_chains(wanted)
    return [chains[card_id] for card_id in wanted]


def _was_unmerged(item: ReviewItem) -> bool:
    """Whether the item was decided on the card of another bike that its own was merged into then, but no longer is."""
    bike = Bike.entrants.filter(pk=item.operation.body.get("bike")).first()
    return bike is not None and item.card_id not in (
        None,
        derive_card_id(item.contest_id, bike.merged_into_id or bike.pk),
    )


def _keep(context: OperationContext, card: RecordedCard | None, item: ReviewItem, data: DecisionData) -> None:
    if card is not None:
        append_to_card(context, card, "settle", data=data)
        return
    context.append(context.get_chain(item.card_id or item.contest_id), "settle", data=data)
    if item.card_id is not None:
        context.mark_stale(item.contest_id, item.card_id)


def _apply(
    context: OperationContext,
    card: RecordedCard,
    item: ReviewItem,
    decision: ReviewItem.Decision,
    slot_id: UUID | None,
    data: DecisionData,
) -> None:
    """Write an entry under review to its card, whatever has been recorded since: the organiser has seen both."""
    kind, body = item.operation.kind, item.operation.body
    if kind == "turn" and isinstance(card, BikeCard):
        turn_input = TurnInput.from_body(body)
        if decision == ReviewItem.Decision.OTHER_SLOT:
            turn_input = replace(turn_input, slot_id=_check_free_slot(card, turn_input.slot_id, slot_id))
        _apply_turn(context, card, turn_input, data)
    elif decision != ReviewItem.Decision.APPLY:
        raise CannotDecide
    elif kind == "action":
        actions = canonicalize_actions(card.contest, tuple(body["actions"]), card.seat_count)
        judged = _check(card.judge_turn(context.operation_id, actions))
        append_to_card(context, card, "record", judged, actions=actions, data=data)
    elif kind in ("amend", "correct"):
        changes = make_changes(card, _list_current_targets(body, card.turns))
        append_changes(context, card, changes, _check_changes(card, changes), data)
    elif kind == "retire" and isinstance(card, BikeCard):
        actions, judged = judge_retirement(context, card)
        append_to_card(context, card, "retire", _check(judged), actions=actions, data=data)
    else:
        raise CannotDecide


def _apply_turn(context: OperationContext, card: BikeCard, turn_input: TurnInput, data: DecisionData) -> None:
    actions, slot_id = canonicalize_actions(card.contest, turn_input.actions), turn_input.slot_id
    judged = _check(card.judge_turn(context.operation_id, actions, slot_id))
    current = card.get_turn(slot_id)
    if current is None:
        dice_set_id = turn_input.dice_set_id if has_dice_set(context.actor.event_id, turn_input.dice_set_id) else None
        flags = {"takes_over": True} if turn_input.takes_over else {}
        append_to_card(
            context,
            card,
            "record",
            judged,
            actions=actions,
            slot_id=slot_id,
            dice_set_id=dice_set_id,
            data={**flags, **data},
        )
    else:
        change = TurnChange(current.id, actions)
        append_to_card(context, card, "amend", data={"changes": [change.to_data()], **data})


def _apply_move(
    context: OperationContext, source: BikeCard, target: BikeCard, body: Mapping[str, Any], data: DecisionData
) -> None:
    """Apply a move under review, whatever has been recorded since, if the rules allow both cards afterwards."""
    turn = source.turns[_get_current_id(UUID(body["turn"]), source.turns)]
    if turn.slot_id is None:
        raise CannotDecide.because(TURN_GONE)
    if target.get_turn(turn.slot_id) is not None:
        raise CannotDecide(_explain_taken_slots(target, [turn.slot_id]))
    if problems := list_move_problems(context, source, target, turn):
        raise CannotDecide(problems)
    transfer_turns(context, source, target, [turn], data=data)
    review_removed_repeats(context, source, [TurnChange(turn.id, None)])


def _revert_applied(
    context: OperationContext, item: ReviewItem, card_ids: Sequence[UUID], reversal: DecisionData
) -> None:
    """Write the reverting changes to every card that the decision was written to. Only the item's names the item."""
    if item.card_id is None:
        raise CannotDecide
    assert item.settled_by_id is not None, "the caller has checked that it is decided"
    reversals: list[tuple[RecordedCard, list[TurnChange]]] = []
    for card_id in card_ids:
        try:
            card = _lock_card(context, item, card_id)
        except UnknownTarget:
            raise CannotDecide from None  # damaged, or withdrawn
        changes = list_reverting_changes(context.unit_of_work.list_entries(card_id), item.settled_by_id, card.turns)
        if changes is None:  # something newer depends on them, or an old version decided, which did not log them
            raise CannotDecide.because(CHANGED_SINCE)
        reversals.append((card, changes))
    judgements = [_check_changes(card, changes) for card, changes in reversals]
    for (card, changes), judged in zip(reversals, judgements, strict=True):
        data = {"changes": [change.to_data() for change in changes]}
        named = reversal if card.id == item.card_id else {}
        append_to_card(context, card, "amend", judged, data={**data, **named})
    for card, changes in reversals:
        review_removed_repeats(context, card, changes)


def _check(judged: CardJudgement) -> CardJudgement:
    """Return the judgement, or raise `CannotDecide` if the rules do not allow it."""
    if judged.problems:
        raise CannotDecide(judged.problems)
    return judged


def _check_changes(card: RecordedCard, changes: Sequence[TurnChange]) -> CardJudgement:
    """Judge changes, or raise `CannotDecide`: a slot would have two turns, or the rules do not allow them together."""
    judged = judge_changes(card, changes)
    if taken := card.list_taken_slots(judged.turns):
        raise CannotDecide(_explain_taken_slots(card, taken))
    return _check(judged)


def _explain_taken_slots(card: RecordedCard, taken: Sequence[UUID | None]) -> list[dict[str, Any]]:
    """Return for each slot that would have two turns that it is taken, as data that names the bike and the stop."""
    assert isinstance(card, BikeCard), "only a bike's card has slots"
    problems = []
    for slot in taken:
        about = None if slot is None else _name_slot_of(card, slot)
        problems.append(problem_to_data(ALREADY_RETIRED if slot is None else SLOT_FILLED, about))
    return problems


def _name_slot_of(card: BikeCard, slot: UUID) -> Subject:
    name = card.slot_subjects.get(slot, "")
    if isinstance(name, Subject):
        return Subject(BIKE_AT_TURN, {"bike": str(card.bike), **name.params})
    return Subject(BIKE_AT_STOP, {"bike": str(card.bike), "stop": name})


def _check_free_slot(card: BikeCard, wanted: UUID, chosen: UUID | None) -> UUID:
    """Return the chosen slot, or raise `CannotDecide` unless it is a free one of the same stop."""
    same_stop = card.contest.list_slots_at_same_stop(wanted)
    if chosen is None or chosen not in same_stop or card.get_turn(chosen) is not None:
        raise CannotDecide
    return chosen


def _get_current_id(turn_id: UUID, turns: Turns) -> UUID:
    """Return the id under which a turn that an operation names is current.

    Raises:
        CannotDecide: the turn no longer counts.
    """
    current_id = find_current_id(turn_id, turns)
    if current_id is None:
        raise CannotDecide.because(TURN_GONE)
    return current_id


def _list_current_targets(body: Mapping[str, Any], turns: Turns) -> list[CorrectionTarget]:
    """Return what a correction under review changes, whatever was recorded since."""
    targets = map(CorrectionTarget.from_data, body["targets"])
    return [replace(target, turn_id=_get_current_id(target.turn_id, turns)) for target in targets]
