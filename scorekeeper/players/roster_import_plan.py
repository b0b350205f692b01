"""The plan of an import: what it would do, bike by bike, before anything is written.

Terms: a line is *new*, *changed* or *unchanged*.

Invariants:
- The plan's digest covers everything it would do. The user sends it back to confirm, so that exactly what they saw
  happens.
- A plan made after its own import has only unchanged lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import is_roster_fixed
from scorekeeper.common.names import fold_name
from scorekeeper.common.spreadsheet_columns import SpreadsheetColumn
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.players.roster_columns import FIELDS
from scorekeeper.players.roster_parser import RosterRow, parse_roster
from scorekeeper.players.selectors import get_rider, list_bikes_with_people, list_passengers

ImportStatus = Literal["new", "changed", "unchanged"]


class BikeDetails(NamedTuple):
    """The details of a bike, before or after the import."""

    rider: str = ""
    passengers: tuple[str, ...] = ()
    make: str = ""
    model: str = ""
    group: str = ""


class RosterChange(NamedTuple):
    """A field that would change."""

    field: str | Promise
    before: str
    after: str


@dataclass(frozen=True)
class ImportLine:
    """A bike in the file, and what would happen to it."""

    row: RosterRow
    bike: Bike | None
    details: BikeDetails
    changes: tuple[RosterChange, ...]

    @property
    def status(self) -> ImportStatus:
        """What would happen to the bike."""
        if self.bike is None:
            return "new"
        return "changed" if self.changes else "unchanged"

    @property
    def people(self) -> str:
        """Who would be on the bike, rider first."""
        return ", ".join(name for name in (self.details.rider, *self.details.passengers) if name)


@dataclass(frozen=True)
class ImportPlan:
    """Everything that an import would do; with problems it would do nothing."""

    lines: tuple[ImportLine, ...]
    problems: tuple[SpreadsheetProblem, ...]
    columns: tuple[SpreadsheetColumn, ...]
    new_groups: tuple[str, ...]

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns that are not used."""
        return tuple(column.title for column in self.columns if not column.field)

    def count(self, status: ImportStatus) -> int:
        """Return how many lines have the status."""
        return sum(line.status == status for line in self.lines)

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the plan would do."""
        content = [(line.row.number, line.status, line.details, [c[1:] for c in line.changes]) for line in self.lines]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def plan_import(event: Event, text: str, fields: Mapping[int, str] | None = None) -> ImportPlan:
    """Return the plan for importing the text. Nothing is written; four queries.

    Args:
        event: the event of the roster.
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        fields: the chosen field of each column, by its index from 0; None to guess.
    """
    roster = parse_roster(text, fields)
    groups = {fold_name(group.name): group for group in list_groups(event)}
    bikes: dict[int, list[Bike]] = {}
    for bike in list_bikes_with_people(event):
        bikes.setdefault(bike.number, []).append(bike)
    problems = list(roster.problems)
    lines: list[ImportLine] = []
    group_names = {key: group.name for key, group in groups.items()}
    is_fixed = is_roster_fixed(event)
    for row in roster.rows:
        existing = bikes.get(row.number, [])
        if len(existing) > 1:
            text = _("several bikes already have the number %(number)s; give each its own number first")
            problems.append(SpreadsheetProblem(text % {"number": row.number}, row.row_number))
            continue
        if is_fixed and not existing:
            text = _("a contest is closed, so an import cannot add bikes; use “Add a bike”, which the log records")
            problems.append(SpreadsheetProblem(text, row.row_number))
            continue
        lines.append(_plan_line(row, existing[0] if existing else None, group_names))
    new_groups = tuple(name for key, name in group_names.items() if key not in groups)
    return ImportPlan(tuple(lines), tuple(problems), tuple(roster.columns), new_groups)


def find_group(groups: dict[str, Group], name: str) -> Group | None:
    """Return the group with this name, ignoring case; None for no name."""
    return groups[fold_name(name)] if name else None


def _plan_line(row: RosterRow, bike: Bike | None, group_names: dict[str, str]) -> ImportLine:
    """Compare a row with the bike. `group_names`, by case-folded form, gets the names of new groups."""
    before = _get_details(bike) if bike else BikeDetails()
    cells: dict[str, Any] = dict(row.cells)
    if cells.get("group"):
        cells["group"] = group_names.setdefault(fold_name(cells["group"]), cells["group"])
    after = before._replace(**cells)
    if row.passengers is not None:
        # The same people in another order are not a change.
        same = sorted(row.passengers) == sorted(before.passengers)
        after = after._replace(passengers=before.passengers if same else row.passengers)
    return ImportLine(row, bike, after, tuple(_list_changes(before, after)) if bike else ())


def _get_details(bike: Bike) -> BikeDetails:
    group = bike.group.name if bike.group else ""
    return BikeDetails(get_rider(bike), list_passengers(bike), bike.make, bike.model, group)


def _list_changes(before: BikeDetails, after: BikeDetails) -> Iterator[RosterChange]:
    for field in BikeDetails._fields:
        old, new = getattr(before, field), getattr(after, field)
        if old != new:
            yield RosterChange(FIELDS[field], _format_value(old), _format_value(new))


def _format_value(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
