"""Adding, changing, moving and deleting the prizes of an event.

- The number of places that matter in ties (`Contest.prizes`) follows from the prizes, in the same transaction.
- While a contest is open, its prizes are settings. Once it is closed, its log has what can be won, so a change is an
  operation of the kind "prizes": an entry in the contest's chain. If the contest is official, the next revision is
  pending from then on.
- The order of announcing is no part of the result. It can be changed at any time, without an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import EventArchived, lock_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import RECORDED, OperationResult, record
from scorekeeper.prizes.models import Prize, PrizeLogo
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
