"""Reads the stops of an event, and when they are open."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from games.core.options import NumberOption
from scorekeeper.common.event_dates import get_nearest_event_date
from scorekeeper.events.models import Contest, Event
from scorekeeper.stops.models import Slot, Stop

ONE_DAY = dt.timedelta(days=1)


def list_stops(event: Event) -> QuerySet[Stop]:
    """Return the event's stops in order."""
    return event.stops.order_by("ordinal")


def list_stops_with_turns(event: Event) -> QuerySet[Stop]:
    """Return the stops in order, annotated with `turns`, the number of turns of all contests there."""
    return list_stops(event).annotate(turns=Count("slots"))


def get_stop(event: Event, stop_id: UUID) -> Stop:
    """Return a stop of the event, or raise `Stop.DoesNotExist`."""
    return event.stops.get(pk=stop_id)


def list_slots(contest: Contest) -> QuerySet[Slot]:
    """Return the contest's slots in the order in which they are played, each with its stop."""
    return contest.slots.select_related("stop").order_by("ordinal")


def count_slots(contest: Contest) -> Mapping[UUID, int]:
    """Return how many turns of the contest each stop has, by the stop's id; stops without turns are omitted."""
    return Counter(contest.slots.values_list("stop_id", flat=True))


def spread_turns(stops: Sequence[Stop], turns: int) -> Mapping[UUID, int]:
    """Return how many turns each stop has when they are spread evenly, with the remaining turns at the last stops.

    The finale comes last and has time for more: five turns at four stops are 1, 1, 1, 2.
    """
    each, rest = divmod(turns, len(stops) or 1)
    first_with_more = len(stops) - rest
    return {stop.pk: each + (index >= first_with_more) for index, stop in enumerate(stops)}


def get_turn_limits(contest: Contest) -> tuple[int, int | None]:
    """Return the fewest and the most turns (None: no limit) that the contest's game allows on a scorecard.

    Raises:
        LookupError: the game does not take its turns from stops.
    """
    for option in contest.game.declared_options:
        if option.name == contest.game.slot_option and isinstance(option, NumberOption):
            return option.low, option.high
    raise LookupError(contest.game_key)


def get_options_with_turns(contest: Contest, turns: int) -> dict[str, Any]:
    """Return the options of the contest with another number of turns.

    Raises:
        LookupError: the game does not take its turns from stops.
    """
    if contest.game.slot_option is None:
        raise LookupError(contest.game_key)
    return {**contest.options, contest.game.slot_option: turns}


def get_opening_time(stop: Stop, event: Event) -> dt.datetime | None:
    """Return when the stop opens; None if that is not known."""
    return None if stop.opens_at is None else _combine(event, stop.opens_at)


def get_closing_time(stop: Stop, event: Event) -> dt.datetime | None:
    """Return when the stop closes; None if that is not known. A stop that closes before it opens closes a day later."""
    if stop.closes_at is None:
        return None
    is_next_day = stop.opens_at is not None and stop.closes_at <= stop.opens_at
    return _combine(event, stop.closes_at, ONE_DAY if is_next_day else dt.timedelta())


def _combine(event: Event, time: dt.time, later: dt.timedelta = dt.timedelta()) -> dt.datetime:
    date = get_nearest_event_date(event.date)  # no calendar goes on after the year 9999
    return dt.datetime.combine(date + later, time, event.zone)
