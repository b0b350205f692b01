"""Adding, changing, moving and deleting stops.

Invariant: the turns of a contest are in the order of their stops. Moving a stop moves its turns, and is not possible
once a contest that has turns there has entries.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, ProtectedError

from scorekeeper.events.models import Event
from scorekeeper.events.services.contests import ContestFrozen
from scorekeeper.events.services.events import lock_event
from scorekeeper.stops.coordinates import Coordinates
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import count_slots, list_stops
from scorekeeper.stops.services.slots import set_slots

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
    """The stop has turns of a contest, or there is a prize for what is rolled there."""


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
