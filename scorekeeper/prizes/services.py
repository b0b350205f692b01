"""Setting up the prizes of an event, and deciding who of the tied gets one, and who gets a prize that is given by hand.

- The number of places that matter in ties (`Contest.prizes`) follows from the prizes, in the same transaction.
- While a contest is open, its prizes are settings. Once it is closed, its log has what can be won, so a change is an
  operation of the kind "prizes": an entry in the contest's chain. If the contest is official, the next revision is
  pending from then on.
- The order of announcing is no part of the result. It can be changed at any time, without an entry.
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
from django.db.models import Max

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
from scorekeeper.prizes.selectors.awards import compute_current_awards, list_possible_winners
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.prizes.selectors.prize_lists import compute_list_digest, count_prize_places, list_prizes
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
        }


def add_logo(event: Event, media_type: str, content: bytes) -> PrizeLogo:
    """Return a new picture of a sponsor, for a prize of the event."""
    return PrizeLogo.objects.create(event=event, media_type=media_type, content=content)


def add_prize(actor: Actor, event: Event, prize_id: UUID, settings: PrizeSettings) -> None:
    """Add a prize at the end of the order. Adding it again with the same id changes nothing.

    Raises:
        TooManyPrizes: the event has as many as it can have.
        EventArchived: the event is in the archive.
    """

    def change() -> None:
        if event.prizes.filter(pk=prize_id).exists():
            return
        if event.prizes.count() >= MAX_PRIZES:
            raise TooManyPrizes
        last = event.prizes.aggregate(last=Max("position"))["last"] or 0
        Prize.objects.create(id=prize_id, event=event, position=last + 1, **settings.to_columns())

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
    """Swap the prize with its neighbour in the order of announcing; at the end of the list nothing changes."""
    lock_event(prize.event)
    prizes = list(list_prizes(prize.event))
    old_index = next((index for index, other in enumerate(prizes) if other.pk == prize.pk), None)
    if old_index is None:
        return
    new_index = old_index - 1 if upwards else old_index + 1
    if not 0 <= new_index < len(prizes):
        return
    prizes.insert(new_index, prizes.pop(old_index))
    for position, moved in enumerate(prizes, 1):
        moved.position = position
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
        context.append(chain, "award", data={"prize": str(prize.pk), "tied": tied_ids, "winners": winner_ids})
        context.mark_stale(contest.pk)
        return RECORDED

    return record(operation_id, "award", actor, {**body, "reason": reason}, handle, reason)


def _check_decision(contest: Contest, prize: Prize, tied: Collection[UUID], winners: Sequence[UUID]) -> None:
    """Raise `InvalidDecision` unless the prize can be decided like this."""
    if len(set(winners)) != len(winners):
        raise InvalidDecision(prize.pk)
    if prize.rule == Prize.Rule.BY_HAND:
        possible = {entrant for entrant, _name in list_possible_winners(contest)}
        if tied or not possible.issuperset(winners) or not (winners or prize.pk in list_decisions(contest.pk)):
            raise InvalidDecision(prize.pk)
        return
    award = next(award for award in compute_current_awards(contest) if award.prize.prize_id == prize.pk)
    if not winners or not set(winners) <= set(tied) or set(tied) != {one.id for one in award.open_to}:
        raise InvalidDecision(prize.pk)
