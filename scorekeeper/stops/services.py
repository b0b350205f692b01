"""Adding, changing, moving and deleting stops, and assigning the turns of a contest to them.

Invariant: the turns of a contest are in the order of their stops. Moving a stop moves its turns, and is not possible
once a contest that has turns there has entries.

Derived: the contest's number of turns. It is written only here, together with the slots.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, ProtectedError

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import ContestFrozen, lock_unfrozen_contest
from scorekeeper.events.services.events import lock_event
from scorekeeper.stops.coordinates import Coordinates
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import count_slots, get_options_with_turns, list_stops

UPDATED_FIELDS = ("name", "crew_note", "opens_at", "closes_at", "address", "latitude", "longitude")


@dataclass(frozen=True)
class StopDetails:
    """What an organiser enters about a stop.

    Attributes:
        opens_at: in the event's time zone; None if that is not known.
        closes_at: the same; at or before `opens_at` it is on the next day.
        crew_note: shown only to the crew.
    """

    name: str
    opens_at: dt.time | None = None
    closes_at: dt.time | None = None
    address: str = ""
    coordinates: Coordinates | None = None
    crew_note: str = ""


class StopInUse(Exception):
    """The stop has turns of a contest, or there is a prize for what is played there."""


@transaction.atomic
def add_stop(event: Event, name: str, opens_at: dt.time | None = None, closes_at: dt.time | None = None) -> Stop:
    """Return a new stop, the last of the ride. Its hours are those of `StopDetails`."""
    lock_event(event)
    last = event.stops.aggregate(last=Max("ordinal"))["last"] or 0
    return Stop.objects.create(event=event, name=name, opens_at=opens_at, closes_at=closes_at, ordinal=last + 1)


def update_stop(stop: Stop, details: StopDetails) -> None:
    """Change the name, the hours, the place and the note of the stop."""
    stop.name, stop.crew_note = details.name, details.crew_note
    stop.opens_at, stop.closes_at = details.opens_at, details.closes_at
    stop.address = details.address
    stop.latitude, stop.longitude = details.coordinates or (None, None)
    stop.save(update_fields=UPDATED_FIELDS)


@transaction.atomic
def move_stop(stop: Stop, *, upwards: bool) -> None:
    """Swap the stop with its neighbour; at the end of the list nothing changes.

    Raises:
        ContestFrozen: a contest that has turns at both stops has entries, or was closed.
    """
    lock_event(stop.event)
    stops = list(list_stops(stop.event))
    old_index = stops.index(stop)
    new_index = old_index - 1 if upwards else old_index + 1
    if not 0 <= new_index < len(stops):
        return
    swapped = {stop.pk, stops[new_index].pk}
    affected = [contest for contest in stop.event.contests.all() if swapped <= count_slots(contest).keys()]
    if any(contest.frozen_at is not None for contest in affected):
        raise ContestFrozen
    _swap_ordinals(stops[old_index], stops[new_index])
    for contest in affected:
        turns = count_slots(contest)
        set_slots(contest, [(each, turns.get(each.pk, 0)) for each in list_stops(stop.event)])


@transaction.atomic
def delete_stop(stop: Stop) -> None:
    """Delete a stop that has no turns and no prize.

    Raises:
        StopInUse: it has some.
    """
    try:
        stop.delete()
    except ProtectedError as error:
        raise StopInUse from error


def _swap_ordinals(first: Stop, second: Stop) -> None:
    """Swap the ordinals of two stops by way of a free one, because ordinals must be unique at every moment."""
    free = (first.event.stops.aggregate(last=Max("ordinal"))["last"] or 0) + 1
    ordinals = (first.ordinal, second.ordinal)
    Stop.objects.filter(pk=first.pk).update(ordinal=free)
    Stop.objects.filter(pk=second.pk).update(ordinal=ordinals[0])
    Stop.objects.filter(pk=first.pk).update(ordinal=ordinals[1])


@transaction.atomic
def set_slots(contest: Contest, counts: Sequence[tuple[Stop, int]]) -> None:
    """Set how many turns of the contest are rolled at each stop.

    Existing slots keep their ids, so that a page that was opened earlier still refers to the same turn.

    Args:
        contest: the contest; its game takes the number of turns from the slots.
        counts: stops of the contest's event in the order of the ride, each with its number of turns.

    Raises:
        ContestFrozen: the contest has entries, or was closed.
        LookupError: the game does not take its turns from stops.
        Malformed: the rule book does not allow so many turns, or so few.
        ValueError: a stop belongs to another event.
    """
    current = lock_unfrozen_contest(contest)
    if any(stop.event_id != current.event_id for stop, _turns in counts):
        raise ValueError("a stop of another event cannot hold turns of this contest")
    stops = [stop for stop, turns in counts for _turn in range(turns)]
    current.options = get_options_with_turns(current, len(stops))
    current.game.ruleset(current.options)
    current.save(update_fields=["options"])
    existing = {slot.ordinal: slot for slot in current.slots.all()}
    for ordinal, stop in enumerate(stops, 1):
        slot = existing.pop(ordinal, None) or Slot(contest=current, ordinal=ordinal)
        slot.stop = stop
        slot.save()
    current.slots.filter(pk__in=[slot.pk for slot in existing.values()]).delete()
    contest.options = current.options
