"""Adding, naming, ordering and deleting stops.

Invariant: the turns of a contest come in the order of their stops. Moving a stop moves its turns, and where dice have
been noted already it is refused.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max, ProtectedError

from scorekeeper.events.models import Event
from scorekeeper.events.services.contests import ContestFrozen
from scorekeeper.events.services.events import lock_event
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import count_slots, list_stops
from scorekeeper.stops.services.slots import set_slots


class StopInUse(Exception):
    """The stop holds turns of a contest."""


@transaction.atomic
def add_stop(event: Event, name: str) -> Stop:
    """Return a new stop, the last of the ride."""
    lock_event(event)
    last = event.stops.aggregate(last=Max("ordinal"))["last"] or 0
    return Stop.objects.create(event=event, name=name, ordinal=last + 1)


def rename_stop(stop: Stop, name: str) -> None:
    """Call the stop something else."""
    stop.name = name
    stop.save(update_fields=["name"])


@transaction.atomic
def move_stop(stop: Stop, *, upwards: bool) -> None:
    """Let the stop change places with its neighbour; at the end of the list nothing changes.

    Raises:
        ContestFrozen: dice of a contest have been noted that has turns at both.
    """
    lock_event(stop.event)
    stops = list(list_stops(stop.event))
    here = stops.index(stop)
    there = here - 1 if upwards else here + 1
    if not 0 <= there < len(stops):
        return
    one, other = stops[here], stops[there]
    concerned = [contest for contest in stop.event.contests.all() if {one.pk, other.pk} <= count_slots(contest).keys()]
    if any(contest.frozen_at is not None for contest in concerned):
        raise ContestFrozen
    _swap_ordinals(one, other)
    for contest in concerned:
        turns = count_slots(contest)
        set_slots(contest, [(place, turns.get(place.pk, 0)) for place in list_stops(stop.event)])


@transaction.atomic
def delete_stop(stop: Stop) -> None:
    """Take a stop away that holds no turns.

    Raises:
        StopInUse: it holds some.
    """
    try:
        stop.delete()
    except ProtectedError as error:
        raise StopInUse from error


def _swap_ordinals(one: Stop, other: Stop) -> None:
    """Exchange the places of two stops by way of a third, as no place may be held twice at any moment."""
    free = (one.event.stops.aggregate(last=Max("ordinal"))["last"] or 0) + 1
    ordinals = (one.ordinal, other.ordinal)
    Stop.objects.filter(pk=one.pk).update(ordinal=free)
    Stop.objects.filter(pk=other.pk).update(ordinal=ordinals[0])
    Stop.objects.filter(pk=one.pk).update(ordinal=ordinals[1])
