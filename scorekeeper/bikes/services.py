"""Writes of the room.

Invariant: at the desk a number is given once. Only at the ride it is not refused: the second bike that claims it there
becomes "57 (2)" (`Bike.suffix`).
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes_by_number
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event


class NumberTaken(Exception):
    """Another bike of the event goes by the number."""


@transaction.atomic
def add_bike(event: Event, *, number: int, make: str = "", model: str = "", group: Group | None = None) -> Bike:
    """Return a new bike.

    Raises:
        NumberTaken: another bike goes by the number.
    """
    if list_bikes_by_number(event, number).exists():
        raise NumberTaken
    return _save(Bike(event=event, number=number, make=make, model=model, group=group))


@transaction.atomic
def update_bike(bike: Bike, *, number: int, make: str, model: str, group: Group | None) -> None:
    """Change a bike. One that shares its number stays "57 (2)" until it gets a number of its own.

    Raises:
        NumberTaken: another bike goes by the number.
    """
    bike.make, bike.model, bike.group = make, model, group
    if number != bike.number:
        if list_bikes_by_number(bike.event, number).exists():
            raise NumberTaken
        bike.number, bike.suffix = number, 1
    _save(bike)


def _save(bike: Bike) -> Bike:
    try:
        with transaction.atomic():
            bike.save()
    except IntegrityError as error:
        # Somebody else took the number after it was looked up.
        raise NumberTaken from error
    return bike
