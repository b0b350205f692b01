"""Database reads for bikes. A bike that was merged into another is found only by its id, and never listed."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.bikes.codes import read_code
from scorekeeper.bikes.models import MAX_NUMBER, Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import has_begun, has_closed_contest


def list_bikes(event: Event) -> QuerySet[Bike]:
    """Return the event's bikes by number, each with its group."""
    return event.bikes.filter(merged_into=None).select_related("group").order_by("number", "suffix")


def list_group_bikes(group: Group) -> QuerySet[Bike]:
    """Return the bikes of the group by number."""
    return group.bikes.filter(merged_into=None).order_by("number", "suffix")


def list_bikes_by_number(event: Event, number: int) -> QuerySet[Bike]:
    """Return the bikes with the number: several of them until the organiser has merged or renumbered them."""
    return list_bikes(event).filter(number=number)


def list_taken_numbers(event: Event) -> set[int]:
    """Return the numbers that the event's bikes have."""
    return set(list_bikes(event).order_by().values_list("number", flat=True))


def find_free_number(taken: Collection[int], wanted: int | None = None) -> int | None:
    """Return the wanted number, or the next one that is not taken; from 1 without a wish, and None if there is none."""
    return next((number for number in range(wanted or 1, MAX_NUMBER + 1) if number not in taken), None)


def are_numbers_fixed(event: Event) -> bool:
    """Return whether only an operation can change bike numbers: once the ride is open or a scorecard exists."""
    return event.is_open or has_begun(event) or is_roster_fixed(event)


def is_roster_fixed(event: Event) -> bool:
    """Return whether only an operation can add or remove bikes: while a contest is closed, its log lists them all."""
    return has_closed_contest(event)


def find_bike_by_code(code: str) -> Bike | None:
    """Return the bike of a printed code, or the bike it was merged into, with its event; None for an unknown code."""
    bike_id = read_code(code)
    bikes = Bike.objects.select_related("event")
    bike = None if bike_id is None else bikes.filter(pk=bike_id).first()
    while bike is not None and bike.merged_into_id is not None:
        bike = bikes.get(pk=bike.merged_into_id)
    return bike


def get_bike(event: Event, bike_id: UUID) -> Bike:
    """Return the bike, or the bike it was merged into, following repeated merges.

    Raises:
        Bike.DoesNotExist: the event has no such bike.
    """
    bike = event.bikes.select_related("group").get(pk=bike_id)
    while bike.merged_into_id is not None:
        bike = event.bikes.select_related("group").get(pk=bike.merged_into_id)
    return bike
