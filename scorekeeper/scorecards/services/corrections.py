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
from scorekeeper.scorecards.explaining import problem_to_data
from scorekeeper.scorecards.fold import Actions, Change, NotedTurn, apply_changes
from scorekeeper.scorecards.models import ReviewItem, Scorecard
from scorekeeper.scorecards.open_card import OpenCard
from scorekeeper.scorecards.played import card_id_for, turn_id_for
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.selectors.withdrawals import was_withdrawn
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.cards import (
    append_to_card,
    check_may_note,
    open_card,
    open_cards,
    start_card,
)
from scorekeeper.scorecards.services.recording import (
    MERGED,
    RECORDED,
    NotYet,
    NotYours,
    Submission,
    Unreadable,
    Verdict,
    Withdrawn,
    check_reason,
    record,
    submit,
)
from scorekeeper.scorecards.services.repeats import append_repeat, review_repeats
from scorekeeper.scorecards.services.turns import (
    SLOT_TAKEN,
    find_hold,
    judge_card,
    judge_turn,
    wait,
    written_actions,
)

NEWER = problem_to_data(
    Problem(
        "newer_entry",
        NO_CLAUSE,
        gettext_noop("Something newer stands there already. Look at the card again and decide afresh."),
    )
)


@dataclass(frozen=True, slots=True)
class Target:
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
        return {**Change(self.turn_id, _tuple(self.actions), self.slot_id).to_data(), "seq": self.seq}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Target:
        """Return the target that a body holds."""
        change = Change.from_data(data)
        return cls(change.turn_id, data["seq"], change.actions, change.slot_id)


def amend_turns(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    bike_id: UUID,
    targets: Sequence[Target],
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

    def handle(book: Book) -> Verdict:
        card = open_card(book, contest_id, bike_id, by_log=True)
        check_may_note(actor, card.bike, takes_over)
        for target in targets:
            if target.slot_id is not None and target.slot_id not in card.contest.slots:
                raise NotYet(target.slot_id)
        retirement = card.turn_in(None)
        if retirement is not None and any(target.turn_id == retirement.id for target in targets):
            _check_may_retire(actor, card.bike)
        return change_turns(book, card, targets)

    check_reason(reason)
    if not targets or len({target.turn_id for target in targets}) < len(targets):
        raise Unreadable(operation_id)
    return record(operation_id, "amend", actor, body, handle, reason)


def change_turns(book: Book, card: OpenCard, targets: Sequence[Target]) -> Verdict:
    """Judge the changes together, and write them or keep them for review."""
    touched = [target.turn_id for target in targets]
    if any(not _is_as_seen(card, target) for target in targets):
        return wait(book, card, ReviewItem.Reason.STALE, [NEWER], touched)
    changes = [_change(card, target) for target in targets]
    after = apply_changes(card.turns, changes, card.chain.length + 1)
    judged = judge_card(card, after)
    if hold := find_hold(book, is_sealed=card.chain.is_sealed):
        return wait(book, card, hold.reason, [hold.problem, *judged.problems], touched)
    if len({turn.slot_id for turn in after.values()}) < len(after):
        return wait(book, card, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], touched)
    if judged.problems:
        return wait(book, card, ReviewItem.Reason.RULE, judged.problems, list(judged.in_the_way) or touched)
    write_changes(book, card, changes)
    return RECORDED


def write_changes(book: Book, card: OpenCard, changes: Sequence[Change], data: Mapping[str, Any] | None = None) -> None:
    """Append judged changes to their card; repeats of turns that they void or move go to review.

    Args:
        data: what else the entry says.
    """
    append_to_card(book, card, "amend", data={"changes": [change.to_data() for change in changes], **(data or {})})
    gone = [change.turn_id for change in changes if _is_gone(card, change)]
    review_repeats(book, card.chain, card.contest.id, gone)


def _is_gone(card: OpenCard, change: Change) -> bool:
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

    def handle(book: Book) -> Verdict:
        source, target = _open_both(book, contest_id, from_bike, to_bike)
        check_may_note(actor, source.bike, takes_over)
        check_may_note(actor, target.bike, takes_over)
        if source.id == target.id:
            return MERGED
        return carry_over(book, source, target, turn_id, seq)

    check_reason(reason)
    return record(operation_id, "move", actor, body, handle, reason)


def carry_over(book: Book, source: OpenCard, target: OpenCard, turn_id: UUID, seq: int) -> Verdict:
    """Take a turn off one card and put it on another, if both may stand so."""
    turn = source.turns.get(turn_id)
    if turn is None or turn.seq != seq or turn.slot_id is None:
        return wait(book, source, ReviewItem.Reason.STALE, [NEWER], [turn_id])
    void = Change(turn_id, None)
    left = judge_card(source, apply_changes(source.turns, [void], source.chain.length + 1))
    arrived = judge_turn(target, turn.slot_id, turn.actions, moved_id(book, target, turn))
    if hold := find_hold(book, is_sealed=source.chain.is_sealed or target.chain.is_sealed):
        return wait(book, source, hold.reason, [hold.problem], [turn_id])
    if target.turn_in(turn.slot_id) is not None:
        return wait(book, source, ReviewItem.Reason.CONFLICT, [SLOT_TAKEN], [turn_id])
    if left.problems or arrived.problems:
        return wait(book, source, ReviewItem.Reason.RULE, [*left.problems, *arrived.problems], [turn_id])
    transfer(book, source, target, [turn])
    review_repeats(book, source.chain, source.contest.id, [turn_id])
    return RECORDED


def transfer(
    book: Book,
    source: OpenCard,
    target: OpenCard,
    turns: Sequence[NotedTurn],
    ids: Mapping[UUID, UUID] | None = None,
) -> OpenCard:
    """Write turns off one card and onto another, each in its own slot; return the other as it stands then.

    Args:
        ids: what the turns are called there, by what they are called here; new ids where there is none.
    """
    ids = ids or {turn.id: moved_id(book, target, turn) for turn in turns}
    voids = [Change(turn.id, None).to_data() for turn in turns]
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


def moved_id(book: Book, target: OpenCard, turn: NotedTurn) -> UUID:
    """Return the id that a turn gets on the card it is moved to."""
    return turn_id_for(book.operation_id, target.id, turn.slot_id)


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

    def handle(book: Book) -> Verdict:
        card = open_card(book, contest_id, bike_id)
        check_may_note(actor, card.bike, takes_over=False)
        check_reason(reason)
        actions, problems = judge_retirement(book, card)
        retired = card.turn_in(None)
        if retired is not None:
            return append_repeat(book, card.contest.id, card.chain, retired, actions, card)
        if hold := find_hold(book, is_sealed=card.chain.is_sealed):
            return wait(book, card, hold.reason, [hold.problem], ())
        if problems:
            return wait(book, card, ReviewItem.Reason.RULE, problems, ())
        append_to_card(book, card, "retire", actions=actions)
        return RECORDED

    card_id = card_id_for(contest_id, bike_id)
    return Submission(operation_id, "retire", actor, body, handle, reason, card_id, card_of=(contest_id, bike_id))


def _check_may_retire(actor: Actor, bike: Bike) -> None:
    """Raise `NotYours` unless the actor may bring a bike back: whoever may say that it leaves may."""
    if not actor.may("retire"):
        raise NotYours(bike.pk)


def judge_retirement(book: Book, card: OpenCard) -> tuple[Actions, Sequence[Mapping[str, Any]]]:
    """Return what a retirement is written as, and what the rules say against it."""
    actions = written_actions(card, [{"type": Retire.type}])
    leaving = NotedTurn(book.operation_id, None, actions, card.chain.length + 1)
    return actions, judge_card(card, {**card.turns, leaving.id: leaving}).problems


def _open_both(book: Book, contest_id: UUID, one: UUID, other: UUID) -> tuple[OpenCard, OpenCard]:
    """Lock the cards of two bikes, in the order of their ids, and make them if they are missing."""
    bikes = {bike: merged or bike for bike, merged in _list_merged([one, other])}
    if len(bikes) < 2:
        if was_withdrawn(book.actor.event_id, other):
            raise Withdrawn(other)
        raise NotYet(other)
    ids = {bike: card_id_for(contest_id, owner) for bike, owner in bikes.items()}
    # Cards are drawn up before any is locked: whoever closes the contest locks its row first, then the cards.
    if Scorecard.objects.filter(pk__in=ids.values()).count() < len(set(ids.values())):
        for owner in bikes.values():
            start_card(book, contest_id, owner)
    opened = open_cards(book, ids.values())
    if len(opened) < len(set(ids.values())):
        raise NotYet(one, other)  # one was merged this very moment
    return opened[ids[one]], opened[ids[other]]


def _list_merged(bikes: Sequence[UUID]) -> list[tuple[UUID, UUID | None]]:
    return list(Bike.objects.filter(pk__in=bikes).values_list("pk", "merged_into_id"))


def _is_as_seen(card: OpenCard, target: Target) -> bool:
    turn = card.turns.get(target.turn_id)
    return turn is not None and turn.seq == target.seq


def _change(card: OpenCard, target: Target) -> Change:
    actions = None if target.actions is None else written_actions(card, target.actions)
    return Change(target.turn_id, actions, target.slot_id)


def _tuple(actions: Sequence[Mapping[str, Any]] | None) -> Actions | None:
    return None if actions is None else tuple(actions)
