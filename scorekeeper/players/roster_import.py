"""Importing a roster: its columns, the bikes and people in its rows, and how they are stored.

Invariants:
- A bike has only the fields that the file has columns for: a missing column leaves a field as it is, an empty cell
  clears it.
- Exactly the changes that the user saw before confirming are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from scorekeeper.bikes.models import MAX_NUMBER, Bike
from scorekeeper.bikes.selectors import is_roster_fixed
from scorekeeper.bikes.services import RosterFixed, lock_roster
from scorekeeper.common.names import fold_name
from scorekeeper.common.spreadsheets.importer import Change, Importer, ImportPlan, Line, StaleImportPlan
from scorekeeper.common.spreadsheets.sheets import (
    Cells,
    Field,
    Problem,
    Record,
    Sheet,
    find_missing_cells,
    find_overlong_cells,
    guess_by_name,
    simplify_name,
    split_names,
)
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.groups import add_group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_rider, list_bikes_with_people, list_passengers
from scorekeeper.players.services import update_bike

MAX_NAME_LENGTH = 80  # characters, of a person and of a group
MAX_PASSENGERS_LENGTH = 400  # characters of all passengers of one bike
MAX_MAKE_LENGTH = 60
ROWS_EXAMINED = 50  # rows that decide whether a column has numbers
NUMBER_OR_MAKE_NAMES = ("bike", "motorcycle", "motorrad")  # a column with such a name has makes if it has no numbers
FIELDS: Mapping[str, Field] = {
    "number": Field(
        _("Number"),
        (
            *("number", "bike number", "bike no", "start number", "start no", "startnumber", "startnummer"),
            *("startnr", "race number", "plate", "nummer", "nr", "no", "#", "bike", "motorcycle", "motorrad"),
        ),
        missing=_("no number"),
    ),
    "rider": Field(
        _("Rider"), ("rider", "rider name", "driver", "fahrer", "fahrerin", "name"), max_length=MAX_NAME_LENGTH
    ),
    "passengers": Field(  # several are often in a column each
        _("Passengers"),
        ("passengers", "passenger", "passenger(s)", "pillion", "co-rider", "beifahrer", "sozius", "sozia"),
        is_list=True,
        max_length=MAX_NAME_LENGTH,
        max_list_length=MAX_PASSENGERS_LENGTH,
    ),
    "make": Field(_("Make"), ("make", "brand", "manufacturer", "marke", "hersteller"), max_length=MAX_MAKE_LENGTH),
    "model": Field(_("Model"), ("model", "type", "modell", "typ"), max_length=MAX_MAKE_LENGTH),
    "group": Field(_("Group"), ("group", "group name", "gruppe"), max_length=MAX_NAME_LENGTH),
}
SAMPLE_CSV = """\
number,rider,passenger(s),make,model,group
1,Ann Miller,,Honda,Rebel 500,Group one
2,Ben Novak,"Zoe Novak, Max Novak",BMW,R 1250 RT,Group one
57,Cleo Hart,Dan Hart,Harley-Davidson,Road King,Group two
"""


@dataclass(frozen=True)
class RosterRow:
    """One bike in the file, with only the fields that the file has columns for; passengers are a tuple of names."""

    row_number: int
    number: int
    cells: Cells
    passengers: tuple[str, ...] | None = None

    @property
    def key(self) -> int:
        """By what a bike is recognised."""
        return self.number


class BikeDetails(NamedTuple):
    """The details of a bike, before or after the import."""

    rider: str = ""
    passengers: tuple[str, ...] = ()
    make: str = ""
    model: str = ""
    group: str = ""


@dataclass(frozen=True, kw_only=True)
class RosterLine(Line):
    """A bike in the file, and what would happen to it.

    Attributes:
        bike: None for a new one.
        details: as they would be.
    """

    row: RosterRow
    bike: Bike | None
    details: BikeDetails

    @property
    def people(self) -> str:
        """Who would be on the bike, rider first."""
        return ", ".join(name for name in (self.details.rider, *self.details.passengers) if name)

    @property
    def content(self) -> tuple[object, ...]:
        """Everything that would be stored."""
        return self.row.number, self.status, self.details


class RosterImporter(Importer[RosterRow, RosterLine]):
    """The import of an event's roster."""

    fields = FIELDS
    example = "number,rider"
    sample = SAMPLE_CSV
    no_rows = _("There are column names but no bikes below them. Add a row for each bike")
    no_columns = _("Choose the column with the bikes’ numbers. The first row must have column names")
    repetition = _("number %(number)s is used more than once")
    added = ngettext_lazy("%(count)s bike added", "%(count)s bikes added", "count")

    def __init__(self, event: Event) -> None:
        self.event = event

    def guess_fields(self, sheet: Sheet) -> Mapping[int, str]:
        """Return the field of each column that its name and content suggest: "Bike" may have numbers or makes."""
        names = [simplify_name(name) for name in sheet.header]
        number = _guess_number(names, sheet.body)
        others = {key: field for key, field in FIELDS.items() if key != "number"}
        guess = guess_by_name(names, others, {} if number is None else {number: "number"})
        if "make" not in guess.values():
            makes = [index for index, name in enumerate(names) if name in NUMBER_OR_MAKE_NAMES and index not in guess]
            guess.update(dict.fromkeys(makes[:1], "make"))
        return guess

    def read_row(self, row: int, cells: Cells) -> Iterator[RosterRow | Problem]:
        """Yield a row's problems, and the row itself if it has a valid number."""
        number = _parse_number(cells["number"])
        if number is not None:
            values = {key: cell for key, cell in cells.items() if key not in ("number", "passengers")}
            passengers = split_names(cells["passengers"]) if "passengers" in cells else None
            yield RosterRow(row, number, values, passengers)
        elif cells["number"]:
            text = _("the number is not a whole number from 1 to %(high)s") % {"high": MAX_NUMBER}
            yield Problem(text, row, cells["number"])
        yield from find_missing_cells(row, cells, FIELDS)
        yield from find_overlong_cells(row, cells, FIELDS)

    def plan_lines(self, rows: Iterable[RosterRow]) -> Iterator[RosterLine | Problem]:
        """Yield a line for each bike, or else its problem; four queries."""
        groups = {fold_name(group.name): group.name for group in list_groups(self.event)}
        new_groups: dict[str, str] = {}
        bikes: dict[int, list[Bike]] = {}
        for bike in list_bikes_with_people(self.event):
            bikes.setdefault(bike.number, []).append(bike)
        is_fixed = is_roster_fixed(self.event)
        for row in rows:
            existing = bikes.get(row.number, [])
            if len(existing) > 1:
                text = _("several bikes already have the number %(number)s; give each its own number first")
                yield Problem(text % {"number": row.number}, row.row_number)
            elif is_fixed and not existing:
                text = _("a contest is closed, so an import cannot add bikes; use “Add a bike”, which the log records")
                yield Problem(text, row.row_number)
            else:
                yield _plan_line(row, existing[0] if existing else None, groups, new_groups)

    def lock(self) -> None:
        """Lock the event."""
        lock_event(self.event)

    def apply_plan(self, plan: ImportPlan[RosterLine]) -> None:
        """Add and change bikes.

        Raises:
            StaleImportPlan: a contest was closed after the plan was made.
        """
        for name in plan.new_groups:
            add_group(self.event, name)
        groups = {fold_name(group.name): group for group in list_groups(self.event)}
        if new := [line for line in plan.lines if line.bike is None]:
            try:
                lock_roster(self.event)
            except RosterFixed as error:
                raise StaleImportPlan from error
            _create_bikes(self.event, new, groups)
        for line in plan.lines:
            if line.bike is not None and line.changes:
                update_bike(
                    line.bike,
                    number=line.bike.number,
                    make=line.details.make,
                    model=line.details.model,
                    group=groups.get(fold_name(line.details.group)),
                    rider=line.details.rider,
                    passengers=line.details.passengers,
                )


def _guess_number(names: Sequence[str], body: Sequence[Record]) -> int | None:
    """Return the index of the column with the number: by its name unless the content contradicts, else by its content.

    If the first row has a number in it, nothing is guessed from the content: that row may be a bike.
    """
    known_names = FIELDS["number"].names
    examined = [record.cells for record in body[:ROWS_EXAMINED]]
    cells = [[row[index] for row in examined if row[index]] for index in range(len(names))]
    named = [index for index, name in enumerate(names) if name in known_names]
    numeric = [index for index in named if _count_numbers(cells[index]) * 2 >= len(cells[index])]
    unambiguous = [index for index in named if names[index] not in NUMBER_OR_MAKE_NAMES]
    if numeric or unambiguous:
        return min(numeric or unambiguous, key=lambda index: known_names.index(names[index]))
    if any(_count_numbers([name]) for name in names):
        return None
    other_names = {name for key, field in FIELDS.items() if key != "number" for name in field.names}
    for index, name in enumerate(names):
        values = cells[index]
        is_full = len(values) == len(examined) > 0
        is_unique = _count_numbers(values) == len(values) == len(set(values))
        if name and name not in other_names and is_full and is_unique:
            return index
    return None


def _count_numbers(cells: Iterable[str]) -> int:
    return sum(cell.isascii() and cell.isdigit() and len(cell) <= 5 and int(cell) > 0 for cell in cells)


def _parse_number(cell: str) -> int | None:
    """Return the number of a bike, which can have leading zeros; None if it is not valid."""
    digits = cell.lstrip("0")
    is_whole = cell.isascii() and cell.isdigit() and 0 < len(digits) <= len(str(MAX_NUMBER))
    return int(digits) if is_whole and int(digits) <= MAX_NUMBER else None


def _plan_line(row: RosterRow, bike: Bike | None, groups: Mapping[str, str], new_groups: dict[str, str]) -> RosterLine:
    """Compare a row with the bike.

    Args:
        groups: the names of the groups, by what they have in common with other spellings.
        new_groups: those of new groups, likewise; a new one is added.
    """
    before = _get_details(bike) if bike else BikeDetails()
    cells: dict[str, Any] = dict(row.cells)
    new_group = ""
    if name := row.cells.get("group"):
        key = fold_name(name)
        new_group = "" if key in groups else new_groups.setdefault(key, name)
        cells["group"] = groups.get(key, new_group)
    # The same people in another order are not a change.
    if row.passengers is not None and sorted(row.passengers) != sorted(before.passengers):
        cells["passengers"] = row.passengers
    after = before._replace(**cells)
    changes = tuple(_list_changes(before, after)) if bike else ()
    return RosterLine(is_new=bike is None, row=row, bike=bike, details=after, changes=changes, new_group=new_group)


def _get_details(bike: Bike) -> BikeDetails:
    group = bike.group.name if bike.group else ""
    return BikeDetails(get_rider(bike), list_passengers(bike), bike.make, bike.model, group)


def _list_changes(before: BikeDetails, after: BikeDetails) -> Iterator[Change]:
    for key in BikeDetails._fields:
        old, new = getattr(before, key), getattr(after, key)
        if old != new:
            yield Change(FIELDS[key].label, _format_value(old), _format_value(new))


def _format_value(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _create_bikes(event: Event, lines: Iterable[RosterLine], groups: Mapping[str, Group]) -> None:
    """Create all new bikes at once; a club can have thousands."""
    bikes: list[Bike] = []
    people: list[Player] = []
    for line in lines:
        details = line.details
        group = groups.get(fold_name(details.group))
        bike = Bike(event=event, number=line.row.number, make=details.make, model=details.model, group=group)
        bikes.append(bike)
        if details.rider:
            people.append(Player(event=event, bike=bike, name=details.rider, role=Player.Role.RIDER))
        people += [Player(event=event, bike=bike, name=name, role=Player.Role.PASSENGER) for name in details.passengers]
    Bike.objects.bulk_create(bikes)
    Player.objects.bulk_create(people)
