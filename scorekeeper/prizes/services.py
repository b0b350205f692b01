"""Setting up the prizes of an event, and deciding who of the tied gets one, and who gets a prize that is given by hand.

- The number of places that matter in ties (`Contest.prizes`) follows from the prizes, in the same transaction.
- While a contest is open, its prizes are settings. Once it is closed, its log has what can be won, so a change is an
  operation of the kind "prizes": an entry in the contest's chain. If the contest is official, the next revision is
  pending from then on.
- The order of announcing is no part of the result. It can be changed at any time, without an entry. The places of a
  contest keep theirs: the first is announced last. All places of a contest can be announced before or after all of
  another one.
- A decision is an entry of the kind "award" in the contest's chain, with a reason. The last one about a prize counts.
- A decision about a tie names everyone who was tied, and counts only while exactly they are tied, as a cut does.
- Ties for a place are not decided here where the game cuts cards: then the leaderboard has to say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from scorekeeper.audience.reveals import get_running_reveal
from scorekeeper.audience.services import replace_announced_award
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import EventArchived, lock_event
from scorekeeper.ledger.actors import Actor
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
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.prizes.rules.rule_book import RULES, names_winner
from scorekeeper.prizes.selectors.announcements import make_announced_award
from scorekeeper.prizes.selectors.awards import compute_current_awards, list_possible_winners, preview_awards
from scorekeeper.prizes.selectors.decisions import ENTRY_KIND, PUBLIC_REASON, list_decisions
from scorekeeper.prizes.selectors.prize_lists import compute_list_digest, count_prize_places, list_in_announced_order
from scorekeeper.standings.services.contest_chain import WrongContestStatus, lock_contest

MAX_PRIZES = 100


class TooManyPrizes(Exception):
    """The event has `MAX_PRIZES` prizes."""


class PrizeChanged(Exception):
    """Someone else has just changed or deleted the prize."""


@dataclass(frozen=True, slots=True)
class PrizeSettings:
    """What can be set of a prize, with the names and meanings of its columns."""

    contest: Contest
    name: str
    sponsor: str
    rule: str
    place: int | None = None
    stop_id: UUID | None = None
    best_of: int | None = None
    logo_id: UUID | None = None
    ties: str = Prize.Ties.DECIDE
    face: int | None = None
    number_from: int | None = None
    number_to: int | None = None
    number_drawn: int | None = None
    event_class_id: UUID | None = None

    def to_columns(self) -> Mapping[str, Any]:
        """Return the values by column."""
        return {
            "contest": self.contest,
            "name": self.name,
            "sponsor": self.sponsor,
            "rule": self.rule,
            "place": self.place,
            "stop_id": self.stop_id,
            "best_of": self.best_of,
            "logo_id": self.logo_id,
            "ties": self.ties,
            "face": self.face,
            "number_from": self.number_from,
            "number_to": self.number_to,
            "number_drawn": self.number_drawn,
            "event_class_id": self.event_class_id,
        }


def add_logo(event: Event, media_type: str, content: bytes) -> PrizeLogo:
    """Return a new picture of a sponsor, for a prize of the event."""
    return PrizeLogo.objects.create(event=event, media_type=media_type, content=content)


def add_prize(actor: Actor, event: Event, prize_id: UUID, settings: PrizeSettings) -> None:
    """Add a prize. Adding it again with the same id changes nothing.

    It is announced before every prize for a place, and after all others; one for a place is announced with its place.
    One for the total that wins the contest comes last, since it names the winner.

    Raises:
        TooManyPrizes: the event has as many as it can have.
        EventArchived: the event is in the archive.
    """

    def change() -> None:
        if event.prizes.filter(pk=prize_id).exists():
            return
        if event.prizes.count() >= MAX_PRIZES:
            raise TooManyPrizes
        prizes = list_in_announced_order(event)
        first_place = next((index for index, one in enumerate(prizes) if one.is_for_place), len(prizes))
        if settings.rule == Prize.Rule.PLACE and settings.event_class_id is None:
            index = max(_list_places(prizes, settings.contest.pk), default=len(prizes) - 1) + 1
        else:
            names_it = settings.event_class_id is None and names_winner(RULES[settings.rule], settings.contest)
            index = len(prizes) if names_it else first_place
        prizes.insert(index, Prize.objects.create(id=prize_id, event=event, position=0, **settings.to_columns()))
        _save_order(prizes)
        _save_order(list_in_announced_order(event))  # a place among the others

    _change_prizes(actor, event, settings.contest, change)


def change_prize(actor: Actor, prize: Prize, settings: PrizeSettings) -> None:
    """Change a prize. It stays with its contest.

    Args:
        prize: as it was read; nothing is changed if it is not so any more.

    Raises:
        EventArchived: the event is in the archive.
        PrizeChanged: the prize was changed or deleted after it was read.
    """
    columns = {name: value for name, value in settings.to_columns().items() if name != "contest"}
    as_read = {name: getattr(prize, name) for name in columns}

    def change() -> None:
        if not Prize.objects.filter(pk=prize.pk, **as_read).update(**columns):
            raise PrizeChanged

    _change_prizes(actor, prize.event, prize.contest, change)


def delete_prize(actor: Actor, prize: Prize) -> None:
    """Delete a prize. Revisions keep their own copy of it.

    Raises:
        EventArchived: the event is in the archive.
    """

    def change() -> None:
        Prize.objects.filter(pk=prize.pk).delete()

    _change_prizes(actor, prize.event, prize.contest, change)


@transaction.atomic
def move_prize(prize: Prize, *, upwards: bool) -> None:
    """Swap the prize with its neighbour in the order of announcing; at the end of the list nothing changes.

    A place that is moved past one of another contest takes all places of its contest along.
    """
    lock_event(prize.event)
    prizes = list_in_announced_order(prize.event)
    old_index = next((index for index, other in enumerate(prizes) if other.pk == prize.pk), None)
    if old_index is not None:
        _move(prizes, old_index, old_index - 1 if upwards else old_index + 1)


@transaction.atomic
def move_prize_to(prize: Prize, index: int) -> None:
    """Move the prize to a position in the order of announcing, from 0, as far as the order of places allows."""
    lock_event(prize.event)
    prizes = list_in_announced_order(prize.event)
    old_index = next((index for index, other in enumerate(prizes) if other.pk == prize.pk), None)
    if old_index is not None:
        _move(prizes, old_index, max(0, min(index, len(prizes) - 1)))


def _move(prizes: list[Prize], old_index: int, new_index: int) -> None:
    if not 0 <= new_index < len(prizes):
        return
    moved, is_down = prizes[old_index], new_index > old_index
    passed = prizes[old_index + 1 : new_index + 1] if is_down else prizes[new_index:old_index]
    others = [one.contest_id for one in passed if one.is_for_place and one.contest_id != moved.contest_id]
    late = [one for one in prizes if one != moved and _is_after_winner(prizes, one)]
    if moved.is_for_place and others:
        prizes = _move_contest(prizes, moved.contest_id, others[-1 if is_down else 0], is_down=is_down)
    else:
        prizes.insert(new_index, prizes.pop(old_index))
    for one in late:
        if not _is_after_winner(prizes, one):
            prizes.remove(one)
            prizes.insert(max(_list_places(prizes, one.contest_id)) + 1, one)
    _save_order(prizes)
    _save_order(list_in_announced_order(moved.event))  # the places of a contest stay in theirs


def _move_contest(prizes: list[Prize], contest_id: UUID, other_id: UUID, *, is_down: bool) -> list[Prize]:
    """Return the prizes with everything from the last to the first place of a contest behind another's, or before."""
    places = _list_places(prizes, contest_id)
    start, end = places[0], places[-1] + 1
    block, rest = prizes[start:end], [*prizes[:start], *prizes[end:]]
    others = _list_places(rest, other_id)
    index = others[-1] + 1 if is_down else others[0]
    return [*rest[:index], *block, *rest[index:]]


def _is_after_winner(prizes: Sequence[Prize], prize: Prize) -> bool:
    """Return whether the prize names the winner of its contest, and comes after all its places."""
    places = _list_places(prizes, prize.contest_id)
    names_it = prize.event_class_id is None and names_winner(RULES[prize.rule], prize.contest)
    return names_it and bool(places) and prizes.index(prize) > places[-1]


def _list_places(prizes: Sequence[Prize], contest_id: UUID) -> list[int]:
    """Return where in the list the prizes for places of a contest are."""
    return [index for index, one in enumerate(prizes) if one.is_for_place and one.contest_id == contest_id]


def _save_order(prizes: Sequence[Prize]) -> None:
    for position, prize in enumerate(prizes, 1):
        prize.position = position
    Prize.objects.bulk_update(prizes, ["position"])


def _change_prizes(actor: Actor, event: Event, contest: Contest, change: Callable[[], None]) -> None:
    """Change the prizes of a contest, and record that in its log unless it is open."""
    if event.archived_at is not None:
        raise EventArchived(event.pk)
    if _change_open(contest, change):
        return

    def handle(context: OperationContext) -> OperationResult:
        lock_event(event)  # before the contest, as everywhere
        locked, chain = lock_contest(context, contest.pk, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        change()
        places = _update_places(locked)
        context.append(chain, "prizes", data={"prizes": places, "prize_list": compute_list_digest(locked)})
        context.mark_stale(contest.pk)
        return RECORDED

    operation_id = uuid4()
    try:
        record(operation_id, "prizes", actor, {"contest": str(contest.pk)}, handle)
    except WrongContestStatus:  # reopened at this very moment
        if not _change_open(contest, change):
            raise


@transaction.atomic
def _change_open(contest: Contest, change: Callable[[], None]) -> bool:
    """Make the change if the contest is open, and return whether it is."""
    lock_event(contest.event)  # before the contest, as everywhere
    locked = Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    if locked.status != Contest.Status.OPEN:
        return False
    change()
    _update_places(locked)
    return True


def _update_places(contest: Contest) -> int:
    """Set how many places matter in ties, and return it."""
    places = count_prize_places(contest)
    if contest.prizes != places:
        contest.prizes = places
        contest.save(update_fields=["prizes"])
    return places


class InvalidDecision(RecordingError):
    """The prize is not open to this decision, or no longer: others are tied for it, or it was decided otherwise."""


def decide_award(
    actor: Actor, operation_id: UUID, prize: Prize, tied: Collection[UUID], winners: Sequence[UUID], reason: str
) -> Receipt:
    """Decide who gets a prize.

    Args:
        tied: those among whom it is decided; nobody for a prize that is given by hand.
        winners: one or more of them, who share it; for a prize given by hand, nobody takes the decision back.
        reason: for everyone to read.

    Raises:
        InvalidDecision: it does not fit what the log says now.
        WrongContestStatus: the tie cannot be decided while the contest is open.
        EventArchived: the event is in the archive.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """
    check_reason(reason)
    tied_ids, winner_ids = sorted(map(str, tied)), list(map(str, winners))
    body = {"contest": str(prize.contest_id), "prize": str(prize.pk), "tied": tied_ids, "winners": winner_ids}

    def handle(context: OperationContext) -> OperationResult:
        statuses = [Contest.Status.CLOSED, Contest.Status.OFFICIAL]
        if prize.rule == Prize.Rule.BY_HAND:
            statuses.append(Contest.Status.OPEN)
        contest, chain = lock_contest(context, prize.contest_id, *statuses)
        if not Prize.objects.filter(pk=prize.pk, contest=contest).exists():
            raise NotAllowed(prize.pk)
        _check_decision(contest, prize, tied, winners)
        if contest.event.archived_at is not None:
            raise EventArchived(contest.event_id)
        data = {"prize": str(prize.pk), "tied": tied_ids, "winners": winner_ids, PUBLIC_REASON: True}
        context.append(chain, ENTRY_KIND, data=data)
        context.mark_stale(contest.pk)
        return RECORDED

    receipt = record(operation_id, "award", actor, {**body, "reason": reason}, handle, reason)
    _announce_decision(prize)
    return receipt


def _announce_decision(prize: Prize) -> None:
    """Make a reveal that is under way announce the prize as it is decided now."""
    if get_running_reveal(prize.event) is None:
        return
    award = next((one for one in preview_awards(prize.event) if one.prize_id == prize.pk), None)
    if award is not None:
        replace_announced_award(prize.event, make_announced_award(award, list_decisions(prize.contest_id)))


def _check_decision(contest: Contest, prize: Prize, tied: Collection[UUID], winners: Sequence[UUID]) -> None:
    """Raise `InvalidDecision` unless the prize can be decided like this."""
    if len(set(winners)) != len(winners):
        raise InvalidDecision(prize.pk)
    if prize.rule == Prize.Rule.BY_HAND:
        possible = {entrant for entrant, _name in list_possible_winners(contest, prize.event_class_id)}
        if tied or not possible.issuperset(winners) or not (winners or prize.pk in list_decisions(contest.pk)):
            raise InvalidDecision(prize.pk)
        return
    award = next(award for award in compute_current_awards(contest) if award.prize.prize_id == prize.pk)
    if not winners or not set(winners) <= set(tied) or set(tied) != {one.id for one in award.open_to}:
        raise InvalidDecision(prize.pk)
