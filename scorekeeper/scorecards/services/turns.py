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
from games.core.sheet import is_equal
from games.core.text import gettext_noop
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.explaining import problem_to_data
from scorekeeper.scorecards.fold import Actions, CardFold, NotedTurn, Turns, fold_on, read_actions
from scorekeeper.scorecards.models import Operation, ReviewItem
from scorekeeper.scorecards.open_card import OpenCard
from scorekeeper.scorecards.played import PlayedContest, card_id_for
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.cards import append_to_card, check_may_note, open_card
from scorekeeper.scorecards.services.recording import RECORDED, NotYet, Submission, Verdict, submit
from scorekeeper.scorecards.services.repeats import append_repeat
from scorekeeper.stops.models import Slot

CLOSED = gettext_noop("The contest was closed before this arrived; the organiser decides.")
ENDED = gettext_noop("This phone was signed out, or its link had expired, before this arrived; the organiser decides.")
TAKEN = gettext_noop("Another note of this turn was there first, and it differs; the organiser decides.")
CLOSED_NOW = problem_to_data(Problem("contest_closed", NO_CLAUSE, CLOSED))
PHONE_ENDED = problem_to_data(Problem("phone_ended", NO_CLAUSE, ENDED))
SLOT_TAKEN = problem_to_data(Problem("slot_taken", NO_CLAUSE, TAKEN))

WAITING = {
    ReviewItem.Reason.CONFLICT: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.STALE: Operation.Outcome.CONFLICT,
    ReviewItem.Reason.RULE: Operation.Outcome.REFUSED,
    ReviewItem.Reason.LATE: Operation.Outcome.LATE,
    ReviewItem.Reason.REVOKED: Operation.Outcome.REVIEW,
}


@dataclass(frozen=True, slots=True)
class TurnNote:
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
    def from_body(cls, body: Mapping[str, Any]) -> TurnNote:
        """Return the note that a kept body holds; the reason is not kept in it."""
        return cls(
            UUID(body["contest"]),
            UUID(body["bike"]),
            UUID(body["slot"]),
            tuple(body["actions"]),
            None if body["dice_set"] is None else UUID(body["dice_set"]),
            body["takes_over"],
        )


def record_turn(actor: Actor, operation_id: UUID, note: TurnNote) -> Receipt:
    """Record a turn of a bike, or put it before the organiser with the reason.

    Raises:
        NotYet: the contest, the bike or the slot is not known.
        NotYours: the actor may not note this bike.
        OtherBody: the id was used for something else.
    """
    return submit(prepare_turn(actor, operation_id, note))


def prepare_turn(actor: Actor, operation_id: UUID, note: TurnNote) -> Submission:
    """Return the operation that records a turn."""

    def handle(book: Book) -> Verdict:
        card = open_card(book, note.contest_id, note.bike_id, note.dice_set_id)
        check_may_note(actor, card.bike, note.takes_over)
        if note.slot_id not in card.contest.slots:
            raise NotYet(note.slot_id)
        return note_turn(book, card, note)

    card_id = card_id_for(note.contest_id, note.bike_id)
    card_of = note.contest_id, note.bike_id
    return Submission(
        operation_id, "turn", actor, note.to_body(), handle, note.reason, card_id, note.dice_set_id, card_of
    )


def note_turn(book: Book, card: OpenCard, note: TurnNote) -> Verdict:
    """Judge a turn against its card, and write it or keep it for review."""
    actions = written_actions(card, note.actions)
    judged = judge_turn(card, note.slot_id, actions, book.operation_id)
    standing = card.turn_in(note.slot_id)
    if standing is not None and is_equal(judged.fold.played.get(book.operation_id), card.fold.played.get(standing.id)):
        return append_repeat(book, card.contest.id, card.chain, standing, actions, card)
    against = [standing.id] if standing is not None else list(judged.in_the_way)
    if hold := find_hold(book, is_sealed=card.chain.is_sealed):
        return wait(book, card, hold.reason, [hold.problem, *judged.problems], against, note.slot_id)
    if standing is not None:
        return wait(book, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN, *judged.problems], against, note.slot_id)
    if judged.problems:
        return wait(book, card, ReviewItem.Reason.RULE, judged.problems, against, note.slot_id)
    write_turn(book, card, note, actions, {})
    return RECORDED


@dataclass(frozen=True)
class Hold:
    """Why an operation waits for the organiser, whatever the rules say of it."""

    reason: ReviewItem.Reason
    problem: Mapping[str, Any]


def find_hold(book: Book, *, is_sealed: bool) -> Hold | None:
    """Return why the operation has to wait: its phone has been revoked or has expired, or the contest is closed.

    A closed contest is changed only by the organiser, with a reason.
    """
    if book.actor.needs_review:
        return Hold(ReviewItem.Reason.REVOKED, PHONE_ENDED)
    if is_sealed and not (book.actor.is_organiser and book.note):
        return Hold(ReviewItem.Reason.LATE, CLOSED_NOW)
    return None


@dataclass(frozen=True)
class Judgement:
    """What the rules say of a card as it would be.

    Attributes:
        fold: the card folded so.
        problems: of the newcomer, or of turns that could no longer stand with it, as data.
        in_the_way: the turns of the card that the problems are about.
    """

    fold: CardFold
    problems: tuple[Mapping[str, Any], ...] = ()
    in_the_way: tuple[UUID, ...] = ()


def judge_turn(card: OpenCard, slot_id: UUID, actions: Actions, turn_id: UUID) -> Judgement:
    """Fold the card with a turn put into a slot, in place of what stands there."""
    turn = NotedTurn(turn_id, slot_id, actions, card.chain.length + 1)
    others = {other.id: other for other in card.turns.values() if other.slot_id != slot_id}
    return judge_card(card, {**others, turn_id: turn}, turn_id)


def judge_card(card: OpenCard, turns: Turns, newcomer: UUID | None = None) -> Judgement:
    """Fold the card with other turns than it has, and explain which of them cannot stand.

    Args:
        newcomer: the turn that needs no name in the explanations.
    """
    try:
        fold = fold_on(card.contest, card.turns, card.fold, turns)
    except Malformed as malformed:
        return Judgement(card.fold, (problem_to_data(malformed.as_problem()),))
    if not fold.standoffs:
        return Judgement(fold)
    names = dict(Slot.objects.filter(contest_id=card.contest.id).values_list("pk", "stop__name"))
    problems = [
        problem_to_data(problem, None if standoff.turn_id == newcomer else _name(names, turns[standoff.turn_id]))
        for standoff in fold.standoffs
        for problem in standoff.problems
    ]
    in_the_way = [standoff.turn_id for standoff in fold.standoffs if standoff.turn_id != newcomer]
    return Judgement(fold, tuple(problems), tuple(in_the_way))


def write_turn(book: Book, card: OpenCard, note: TurnNote, actions: Actions, data: Mapping[str, Any]) -> OpenCard:
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


def written_actions(card: OpenCard, actions: Sequence[Mapping[str, Any]]) -> Actions:
    """Return the actions in their one spelling; what cannot be read stays as it was sent, for judging to explain."""
    try:
        return tuple(card.contest.ruleset.write_action(action) for action in read_actions(card.contest, actions))
    except Malformed:
        return tuple(actions)


def _name(names: Mapping[UUID, str], turn: NotedTurn) -> str | None:
    return None if turn.slot_id is None else names.get(turn.slot_id)


class Card(Protocol):
    """What an operation is about: a card of whatever kind."""

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> PlayedContest: ...


def wait(
    book: Book,
    card: Card,
    reason: ReviewItem.Reason,
    problems: Sequence[Mapping[str, Any]],
    against: Sequence[UUID],
    slot_id: UUID | None = None,
) -> Verdict:
    """Put the operation before the organiser, with what stood in its way."""
    book.keep_for_review(reason, card.contest.id, card_id=card.id, slot_id=slot_id, against=against, problems=problems)
    return Verdict(WAITING[reason], tuple(problems))
