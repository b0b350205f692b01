"""Bikes that did not start.

Terms: a bike is *marked* by an operation (`Bike.did_not_start`). A *non-starter* is a marked bike without a turn.

Invariant: a turn is worth more than a mark. A marked bike with a turn has started, whichever of the two was recorded
first; if all its turns are voided, the mark counts again. So nothing depends on the order in which phones send.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Turn


def is_non_starter() -> Q:
    """Return the condition on bikes that they are non-starters."""
    return Q(did_not_start=True) & ~Q(Exists(Turn.objects.filter(card__seats__bike=OuterRef("pk")).order_by()))


def list_non_starters(event: Event) -> Collection[UUID]:
    """Return the non-starters of an event."""
    return set(Bike.objects.filter(is_non_starter(), event=event, merged_into=None).values_list("pk", flat=True))


def has_turns(bike: Bike) -> bool:
    """Return whether the bike has a turn in any contest, also one that was recorded as missed."""
    return Turn.objects.filter(card__seats__bike=bike.pk).exists()


def find_non_starters(bikes: Iterable[Bike]) -> Collection[UUID]:
    """Return which of these bikes are non-starters; no statement if none is marked."""
    marked = {bike.pk for bike in bikes if bike.did_not_start}
    if not marked:
        return marked
    started = Turn.objects.filter(card__seats__bike__in=marked).order_by().values_list("card__seats__bike", flat=True)
    return marked - set(started)
