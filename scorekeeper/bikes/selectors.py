"""Database reads for bikes. A bike that was merged into another is found only by its id, and never listed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import Q, QuerySet

from scorekeeper.bikes.codes import read_code
from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.bikes.numbers import MAX_NUMBER, BikeNumber
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import has_begun, has_closed_contest


def list_bikes(event: Event) -> QuerySet[Bike]:
    """Return the event's bikes by number, each with its group."""
    return event.bikes.filter(merged_into=None).select_related("group").order_by("number", "suffix")


def list_group_bikes(group: Group) -> QuerySet[Bike]:
    """Return the bikes of the group by number."""
    return group.bikes.filter(merged_into=None).order_by("number", "suffix")


def is_sheet_of(contest_id: UUID) -> Q:
    """Return the condition on `Bike.entrants` that they have a scorecard in a contest, if it is one of their event."""
    return Q(sheet_of=None) | Q(sheet_contest=contest_id)


def list_sheets(contest: Contest) -> QuerySet[Bike]:
    """Return every sheet of a contest by number, each with its group: the event's bikes, and their further sheets."""
    rows = Bike.entrants.filter(is_sheet_of(contest.pk), event=contest.event_id, merged_into=None)
    return rows.select_related("group").order_by("number", "suffix", "sheet")


def list_sheets_of_bike(contest: Contest, bike: Bike) -> list[Bike]:
    """Return the sheets of a bike in a contest, in order: the bike itself is the first.

    Args:
        bike: or one of its further sheets.
    """
    rows = list_sheets(contest).filter(Q(pk=bike.real_bike_id) | Q(sheet_of=bike.real_bike_id))
    return list(rows)


def list_further_sheets(bikes: Collection[Bike]) -> Mapping[UUID, list[FurtherSheet]]:
    """Return the further sheets of bikes in every contest, by bike, in one statement."""
    found: dict[UUID, list[FurtherSheet]] = {}
    sheets = FurtherSheet.objects.filter(sheet_of__in=[bike.pk for bike in bikes])
    for sheet in sheets.order_by("sheet_contest__ordinal", "sheet_contest__name", "sheet_contest", "sheet"):
        found.setdefault(sheet.real_bike_id, []).append(sheet)
    return found


def list_bikes_by_number(event: Event, number: BikeNumber) -> QuerySet[Bike]:
    """Return the bikes with the number: several of them until the organiser has merged or renumbered them."""
    return list_bikes(event).filter(number=number)


def list_taken_numbers(event: Event) -> set[BikeNumber]:
    """Return the numbers that the event's bikes have."""
    return set(list_bikes(event).order_by().values_list("number", flat=True))


def find_free_number(taken: Collection[BikeNumber], wanted: BikeNumber | None = None) -> BikeNumber | None:
    """Return the wanted number, or the next one without letters that is not taken; from 1 without a wish.

    Returns:
        None if there is none.
    """
    if wanted is not None and wanted not in taken:
        return wanted
    first = wanted if isinstance(wanted, int) else 1
    return next((number for number in range(first, MAX_NUMBER + 1) if number not in taken), None)


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


def get_sheet(contest: Contest, bike_id: UUID) -> Bike:
    """Return a sheet of the contest: a bike, or the bike it was merged into, or a further sheet of one.

    Raises:
        Bike.DoesNotExist: the contest has no such sheet.
    """
    sheet = Bike.entrants.filter(pk=bike_id, event=contest.event_id, sheet_contest=contest).select_related("group")
    return sheet.first() or get_bike(contest.event, bike_id)


def get_bike(event: Event, bike_id: UUID) -> Bike:
    """Return the bike, or the bike it was merged into, following repeated merges.

    Raises:
        Bike.DoesNotExist: the event has no such bike. A further sheet is not one.
    """
    bike = event.bikes.select_related("group").get(pk=bike_id)
    while bike.merged_into_id is not None:
        bike = event.bikes.select_related("group").get(pk=bike.merged_into_id)
    return bike
