"""Bikes that did not start.

Terms: a bike is *marked* by an operation (`Bike.did_not_start`). A *non-starter* is a marked bike without a turn.

Invariant: a turn is worth more than a mark. A marked bike with a turn has started, whichever of the two was recorded
first; if all its turns are voided, the mark counts again. So nothing depends on the order in which phones send. A bike
and its further sheets start together: a turn on any of them is a turn of the bike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Turn


def is_non_starter() -> Q:
    """Return the condition on bikes and further sheets that they are non-starters."""
    bike = Coalesce(OuterRef("sheet_of"), OuterRef("pk"))
    turns = Turn.objects.order_by()
    started = Exists(turns.filter(card__seats__bike=bike)) | Exists(turns.filter(card__seats__bike__sheet_of=bike))
    return Q(did_not_start=True) & ~Q(started)


def list_non_starters(event: Event) -> Collection[UUID]:
    """Return the non-starters of an event."""
    return set(Bike.objects.filter(is_non_starter(), event=event, merged_into=None).values_list("pk", flat=True))


def has_turns(bike: Bike) -> bool:
    """Return whether the bike has a turn on any sheet in any contest, also one that was recorded as missed."""
    return Turn.objects.filter(_is_of_bikes([bike.real_bike_id])).exists()


def find_non_starters(bikes: Iterable[Bike]) -> Collection[UUID]:
    """Return which of these bikes and further sheets are non-starters; no statement if none is marked."""
    marked = {bike.pk: bike.real_bike_id for bike in bikes if bike.did_not_start}
    if not marked:
        return set()
    turns = Turn.objects.filter(_is_of_bikes(set(marked.values()))).order_by()
    columns = turns.values_list("card__seats__bike", "card__seats__bike__sheet_of")
    started = {sheet_of or bike for bike, sheet_of in columns}
    return {sheet for sheet, bike in marked.items() if bike not in started}


def _is_of_bikes(bikes: Collection[UUID]) -> Q:
    return Q(card__seats__bike__in=bikes) | Q(card__seats__bike__sheet_of__in=bikes)
