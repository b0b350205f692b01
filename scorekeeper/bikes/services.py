"""Database writes for bikes.

Invariants:
- On the organiser pages a number can be used only once. Only bikes registered at the ride can share a number: the
  second bike that claims it becomes "57 (2)" (`Bike.suffix`).
- Once the ride is open, only an operation can change a number (`scorecards.services.bike_operations`), so that the log
  says who changed it and why.
- While a contest is closed, its log lists every bike of the event. Until all are open again, only an operation can add
  a bike or remove one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import IntegrityError, transaction

from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import are_numbers_fixed, is_roster_fixed, list_bikes_by_number
from scorekeeper.common.hooks import Hook
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event

# Returns why a bike or a further sheet has to stay, for organisers; "" if nothing is known about it.
ExplainObstacle = Callable[[Bike], str]
REMOVAL_OBSTACLES = Hook[ExplainObstacle]()


def explain_obstacle(bike: Bike) -> str:
    """Return why a bike or a further sheet on which nothing was played cannot be removed; "" if it can."""
    return next((why for explain in REMOVAL_OBSTACLES if (why := explain(bike))), "")


class NumberTaken(Exception):
    """Another bike of the event has the number."""


class NumberFixed(Exception):
    """The ride is open or a scorecard exists, so only an operation can change a number."""


class RosterFixed(Exception):
    """A contest is closed, so only an operation can add or remove a bike."""


@transaction.atomic
def add_bike(event: Event, *, number: BikeNumber, make: str = "", model: str = "", group: Group | None = None) -> Bike:
    """Return a new bike.

    Raises:
        NumberTaken: another bike has the number.
        RosterFixed: a contest is closed.
    """
    lock_roster(event)
    if list_bikes_by_number(event, number).exists():
        raise NumberTaken
    return _save_bike(Bike(event=event, number=number, make=make, model=model, group=group))


@transaction.atomic
def update_bike(bike: Bike, *, number: BikeNumber, make: str, model: str, group: Group | None) -> None:
    """Change a bike. A bike that shares its number stays "57 (2)" until it gets a number of its own.

    Only these columns are written: an operation may be changing others at the same moment.

    Raises:
        NumberTaken: another bike has the number.
        NumberFixed: the ride is open, or a scorecard exists.
        Bike.DoesNotExist: the bike has just been deleted.
    """
    bike.make, bike.model, bike.group = make, model, group
    columns = ["make", "model", "group"]
    if number != bike.number:
        _lock_numbers(bike.event)
        if list_bikes_by_number(bike.event, number).exists():
            raise NumberTaken
        bike.number, bike.suffix = number, 1
        columns += ["number", "suffix"]
    Bike.objects.select_for_update(no_key=True).only("pk").get(pk=bike.pk)
    _save_bike(bike, columns)
    update_sheets(bike)


def update_sheets(*bikes: Bike) -> None:
    """Give the further sheets of bikes, which have just been saved, what they have in common with them."""
    for bike in bikes:
        FurtherSheet.objects.filter(sheet_of=bike).update(
            number=bike.number, suffix=bike.suffix, group=bike.group, did_not_start=bike.did_not_start
        )


def lock_roster(event: Event) -> None:
    """Block the closing of contests until the end of the transaction, so that their logs list the bikes as they are.

    Raises:
        RosterFixed: a contest is already closed.
    """
    _lock_contests(event)
    if is_roster_fixed(event):
        raise RosterFixed


def _lock_numbers(event: Event) -> None:
    """Block the opening of the ride and its first scorecard; raise `NumberFixed` if either has happened."""
    lock_event(event)
    _lock_contests(event)  # creating a card locks its contest
    if are_numbers_fixed(Event.objects.get(pk=event.pk)):
        raise NumberFixed


def _lock_contests(event: Event) -> None:
    list(event.contests.select_for_update(no_key=True).order_by("pk"))


def _save_bike(bike: Bike, columns: Sequence[str] | None = None) -> Bike:
    try:
        with transaction.atomic():
            bike.save(update_fields=columns)
    except IntegrityError as error:
        # Someone else took the number after it was looked up.
        raise NumberTaken from error
    return bike
