"""Noting a turn: the operation a crew records at a stop.

The newcomer is judged by folding the whole card in slot order with it, since two phones may have noted two stops of
one bike without knowing of each other. Where an equal turn has the slot already, the newcomer is a repeat of it; where
another has, it is a conflict. A turn that makes any turn of the card impossible waits in review, and so does one for a
closed contest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from games.core.problems import NO_CLAUSE, Malformed, Problem
from games.core.sheet import is_same_turn
from games.core.text import gettext_noop
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id
from scorekeeper.scorecards.fold import Actions, CardFold, RecordedTurn, Turns, fold_incremental, parse_actions
from scorekeeper.scorecards.models import Operation, ReviewItem
from scorekeeper.scorecards.problem_messages import problem_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.cards import append_to_card, check_can_record, load_card_for_update
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import RECORDED, OperationResult, Submission, UnknownTarget, submit
from scorekeeper.scorecards.services.repeats import append_repeat
from scorekeeper.stops.models import Slot

CLOSED_MESSAGE = gettext_noop("The contest was closed before this arrived. The organiser will decide.")
PHONE_ENDED_MESSAGE = gettext_noop(
    "This phone was signed out, or its link had expired, before this arrived. The organiser will decide."
)
SLOT_TAKEN_MESSAGE = gettext_noop("A different entry for this turn arrived first. The organiser will decide.")
CONTEST_CLOSED = problem_to_data(Problem("contest_closed", NO_CLAUSE, CLOSED_MESSAGE))
PHONE_ENDED = problem_to_data(Problem("phone_ended", NO_CLAUSE, PHONE_ENDED_MESSAGE))
SLOT_TAKEN = problem_to_data(Problem("slot_taken", NO_CLAUSE, SLOT_TAKEN_MESSAGE))

REVIEW_OUTCOMES = {
    ReviewItem.Reason.CONFLICT: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.STALE: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.RULE: Operation.Outcome.REFUSED,
    ReviewItem.Reason.LATE: Operation.Outcome.LATE,
    ReviewItem.Reason.REVOKED: Operation.Outcome.REVIEW,
}


@dataclass(frozen=True, slots=True)
class TurnInput:
    """A turn as a phone sends it.

    Attributes:
        actions: the whole turn as in a transcript, the seat left out.
        dice_set_id: the dice it was rolled with, if that was noted.
        takes_over: a road captain notes another group's bike.
        reason: why, where the turn is noted at another stop or by somebody else.
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
        """Return the note that a kept body holds; the reason is not kept in it."""
        return cls(
            UUID(body["contest"]),
            UUID(body["bike"]),
            UUID(body["slot"]),
            tuple(body["actions"]),
            None if body["dice_set"] is None else UUID(body["dice_set"]),
            body["takes_over"],
        )


def record_turn(actor: Actor, operation_id: UUID, note: TurnInput) -> Receipt:
    """Record a turn of a bike, or put it before the organiser with the reason.

    Raises:
        NotYet: the contest, the bike or the slot is not known.
        NotYours: the actor may not note this bike.
        OtherBody: the id was used for something else.
    """
    return submit(prepare_turn(actor, operation_id, note))


def prepare_turn(actor: Actor, operation_id: UUID, note: TurnInput) -> Submission:
    """Return the operation that records a turn."""

    def handle(book: OperationContext) -> OperationResult:
        card = load_card_for_update(book, note.contest_id, note.bike_id, note.dice_set_id)
        check_can_record(actor, card.bike, note.takes_over)
        if note.slot_id not in card.contest.slots:
            raise UnknownTarget(note.slot_id)
        return judge_and_append_turn(book, card, note)

    card_id = derive_card_id(note.contest_id, note.bike_id)
    card_of = note.contest_id, note.bike_id
    return Submission(
        operation_id, "turn", actor, note.to_body(), handle, note.reason, card_id, note.dice_set_id, card_of
    )


def judge_and_append_turn(book: OperationContext, card: CardState, note: TurnInput) -> OperationResult:
    """Judge a turn against its card, and write it or keep it for review."""
    actions = canonicalize_actions(card, note.actions)
    judged = judge_turn(card, note.slot_id, actions, book.operation_id)
    standing = card.get_turn(note.slot_id)
    if standing is not None and is_same_turn(
        judged.fold.results.get(book.operation_id), card.fold.results.get(standing.id)
    ):
        return append_repeat(book, card.contest.id, card.chain, standing, actions, card)
    against = [standing.id] if standing is not None else list(judged.conflicting_turns)
    if hold := find_review_cause(book, is_sealed=card.chain.is_sealed):
        return send_to_review(book, card, hold.reason, [hold.problem, *judged.problems], against, note.slot_id)
    if standing is not None:
        return send_to_review(
            book, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN, *judged.problems], against, note.slot_id
        )
    if judged.problems:
        return send_to_review(book, card, ReviewItem.Reason.RULE, judged.problems, against, note.slot_id)
    append_turn(book, card, note, actions, {})
    return RECORDED


@dataclass(frozen=True)
class ReviewCause:
    """Why an operation waits for the organiser, whatever the rules say of it."""

    reason: ReviewItem.Reason
    problem: Mapping[str, Any]


def find_review_cause(book: OperationContext, *, is_sealed: bool) -> ReviewCause | None:
    """Return why the operation has to wait: its phone has been revoked or has expired, or the contest is closed.

    A closed contest is changed only by the organiser, with a reason.
    """
    if book.actor.needs_review:
        return ReviewCause(ReviewItem.Reason.REVOKED, PHONE_ENDED)
    if is_sealed and not (book.actor.is_organiser and book.reason):
        return ReviewCause(ReviewItem.Reason.LATE, CONTEST_CLOSED)
    return None


@dataclass(frozen=True)
class CardJudgement:
    """What the rules say of a card as it would be.

    Attributes:
        fold: the card folded so.
        problems: of the newcomer, or of turns that could no longer stand with it, as data.
        in_the_way: the turns of the card that the problems are about.
    """

    fold: CardFold
    problems: tuple[Mapping[str, Any], ...] = ()
    conflicting_turns: tuple[UUID, ...] = ()


def judge_turn(card: CardState, slot_id: UUID, actions: Actions, turn_id: UUID) -> CardJudgement:
    """Fold the card with a turn put into a slot, in place of what stands there."""
    turn = RecordedTurn(turn_id, slot_id, actions, card.chain.length + 1)
    others = {other.id: other for other in card.turns.values() if other.slot_id != slot_id}
    return judge_card(card, {**others, turn_id: turn}, turn_id)


def judge_card(card: CardState, turns: Turns, newcomer: UUID | None = None) -> CardJudgement:
    """Fold the card with other turns than it has, and explain which of them cannot stand.

    Args:
        newcomer: the turn that needs no name in the explanations.
    """
    try:
        fold = fold_incremental(card.contest, card.turns, card.fold, turns)
    except Malformed as malformed:
        return CardJudgement(card.fold, (problem_to_data(malformed.as_problem()),))
    if not fold.invalid_turns:
        return CardJudgement(fold)
    names = dict(Slot.objects.filter(contest_id=card.contest.id).values_list("pk", "stop__name"))
    problems = [
        problem_to_data(
            problem, None if standoff.turn_id == newcomer else _get_stop_name(names, turns[standoff.turn_id])
        )
        for standoff in fold.invalid_turns
        for problem in standoff.problems
    ]
    in_the_way = [standoff.turn_id for standoff in fold.invalid_turns if standoff.turn_id != newcomer]
    return CardJudgement(fold, tuple(problems), tuple(in_the_way))


def append_turn(
    book: OperationContext, card: CardState, note: TurnInput, actions: Actions, data: Mapping[str, Any]
) -> CardState:
    """Append a judged turn to its card."""
    more = {"takes_over": True} if note.takes_over else {}
    return append_to_card(
        book,
        card,
        "record",
        actions=actions,
        slot_id=note.slot_id,
        dice_set_id=card.dice_set_id,
        data={**more, **data},
    )


def canonicalize_actions(card: CardState, actions: Sequence[Mapping[str, Any]]) -> Actions:
    """Return the actions in their one spelling; what cannot be read stays as it was sent, for judging to explain."""
    try:
        return tuple(card.contest.ruleset.write_action(action) for action in parse_actions(card.contest, actions))
    except Malformed:
        return tuple(actions)


def _get_stop_name(names: Mapping[UUID, str], turn: RecordedTurn) -> str | None:
    return None if turn.slot_id is None else names.get(turn.slot_id)


class ReviewedCard(Protocol):
    """What an operation is about: a card of whatever kind."""

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> ContestRules: ...


def send_to_review(
    book: OperationContext,
    card: ReviewedCard,
    reason: ReviewItem.Reason,
    problems: Sequence[Mapping[str, Any]],
    against: Sequence[UUID],
    slot_id: UUID | None = None,
) -> OperationResult:
    """Put the operation before the organiser, with what stood in its way."""
    book.add_review_item(reason, card.contest.id, card_id=card.id, slot_id=slot_id, against=against, problems=problems)
    return OperationResult(REVIEW_OUTCOMES[reason], tuple(problems))
