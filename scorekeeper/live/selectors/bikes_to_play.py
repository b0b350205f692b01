"""The bikes that have yet to play at the current stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.non_starters import is_non_starter
from scorekeeper.stops.selectors import list_slots


@dataclass(frozen=True, slots=True)
class BikesToPlay:
    """A stop, and the bikes that still have a turn to roll there."""

    stop: str
    bikes: Sequence[Bike]


def get_bikes_to_play(contest: Contest) -> BikesToPlay | None:
    """Return who is to play next; None before the first turn, after the last, and without stops.

    The current stop is the last one at which anyone has rolled, or the next one if all bikes have played there.
    """
    turns_per_stop = Counter(slot.stop for slot in list_slots(contest))
    if contest.status != Contest.Status.OPEN or not turns_per_stop:
        return None
    recorded = _count_turns(contest)
    bikes = list(list_bikes(contest.event).filter(~is_non_starter()))
    stops = sorted(turns_per_stop, key=lambda stop: stop.ordinal)
    begun = [number for number, stop in enumerate(stops) if any(recorded[bike.pk, stop.pk] for bike in bikes)]
    for stop in stops[begun[-1] :] if begun else ():
        missing = [bike for bike in bikes if recorded[bike.pk, stop.pk] < turns_per_stop[stop]]
        if missing:
            return BikesToPlay(stop.name, missing)
    return None


def _count_turns(contest: Contest) -> Counter[tuple[UUID, UUID]]:
    turns = Turn.objects.filter(card__contest=contest).order_by().values_list("card__seats__bike", "slot__stop")
    return Counter({(bike, stop): number for bike, stop, number in turns.annotate(Count("pk"))})
