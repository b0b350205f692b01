"""The plan of a crew import: what it would do, member by member, before anything is written.

A member is recognised by group and name. Somebody of the same name in another group is another person.

Invariants:
- The plan's digest covers everything it would do. The user sends it back to confirm, so that exactly what they saw
  happens.
- A plan made after its own import has only unchanged lines.
- Nobody is removed: members who are missing from the file stay as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.common.names import fold_name
from scorekeeper.common.spreadsheet_columns import SpreadsheetColumn
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem
from scorekeeper.crew.crew_columns import FIELDS
from scorekeeper.crew.crew_parser import CrewRow, parse_crew
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.selectors import list_groups, list_members
from scorekeeper.events.models import Event
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import list_stops

CrewImportStatus = Literal["new", "changed", "unchanged"]


class CrewChange(NamedTuple):
    """A field that would change."""

    field: str | Promise
    before: str
    after: str


@dataclass(frozen=True)
class CrewImportLine:
    """A crew member in the file, and what would happen to them.

    Attributes:
        member: None for a new member.
        group: the name of their group as it is or will be written.
        any_bike_at: the stops where they record any bike; None to leave these as they are.
    """

    row: CrewRow
    member: CrewMember | None
    group: str
    any_bike_at: tuple[Stop, ...] | None
    changes: tuple[CrewChange, ...]

    @property
    def status(self) -> CrewImportStatus:
        """What would happen to the member."""
        if self.member is None:
            return "new"
        return "changed" if self.changes else "unchanged"

    @property
    def stops_text(self) -> str:
        """The names of the stops where they would record any bike."""
        if self.any_bike_at is None:
            return _format_stops(() if self.member is None else self.member.any_bike_at.all())
        return _format_stops(self.any_bike_at)


@dataclass(frozen=True)
class CrewImportPlan:
    """Everything that an import would do; with problems it would do nothing."""

    lines: tuple[CrewImportLine, ...]
    problems: tuple[SpreadsheetProblem, ...]
    columns: tuple[SpreadsheetColumn, ...]
    new_groups: tuple[str, ...]
    namesakes: tuple[str, ...]

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns that are not used."""
        return tuple(column.title for column in self.columns if not column.field)

    def count(self, status: CrewImportStatus) -> int:
        """Return how many lines have the status."""
        return sum(line.status == status for line in self.lines)

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the plan would do."""
        content = [
            (line.group, line.row.name, line.row.role, line.status, line.stops_text, [c[1:] for c in line.changes])
            for line in self.lines
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def plan_crew_import(event: Event, text: str, fields: Mapping[int, str] | None = None) -> CrewImportPlan:
    """Return the plan for importing the text. Nothing is written; four queries.

    Args:
        event: the event of the crew.
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        fields: the chosen field of each column, by its index from 0; None to guess.
    """
    crew = parse_crew(text, fields)
    group_names = {fold_name(group.name): group.name for group in list_groups(event)}
    known_groups = set(group_names)
    stops = list(list_stops(event))
    members: dict[tuple[str, str], list[CrewMember]] = {}
    for member in list_members(event).prefetch_related("any_bike_at"):
        members.setdefault((fold_name(member.group.name), fold_name(member.name)), []).append(member)
    problems, lines = list(crew.problems), []
    for row in crew.rows:
        existing = members.get(row.key, [])
        found, unknown = _find_stops(row, stops)
        if len(existing) > 1:
            text = _("%(name)s is already in %(group)s more than once; change one of the names first")
            problems.append(SpreadsheetProblem(text % {"name": row.name, "group": row.group}, row.row_number))
        if unknown:
            text = _("this ride has no stop of that name")
            problems += [SpreadsheetProblem(text, row.row_number, name) for name in unknown]
        if len(existing) > 1 or unknown:
            continue
        group = group_names.setdefault(fold_name(row.group), row.group)
        known = existing[0] if existing else None
        changes = () if known is None else tuple(_list_changes(known, row, found))
        lines.append(CrewImportLine(row, known, group, found, changes))
    new_groups = tuple(name for key, name in group_names.items() if key not in known_groups)
    namesakes = tuple(_list_namesakes(lines, members))
    return CrewImportPlan(tuple(lines), tuple(problems), tuple(crew.columns), new_groups, namesakes)


def _find_stops(row: CrewRow, stops: Iterable[Stop]) -> tuple[tuple[Stop, ...] | None, list[str]]:
    """Return the stops in a row in the order of the ride, None for no such column, and the names of unknown ones.

    The name of a stop may contain what separates the names in a cell.
    """
    if row.any_bike_at is None:
        return None, []
    whole, names = row.any_bike_at
    wanted = {fold_name(name): name for name in names}
    if fold_name(whole) in {fold_name(stop.name) for stop in stops}:
        wanted = {fold_name(whole): whole}
    found = tuple(stop for stop in stops if fold_name(stop.name) in wanted)
    known = {fold_name(stop.name) for stop in found}
    return found, [name for key, name in wanted.items() if key not in known]


def _list_changes(member: CrewMember, row: CrewRow, any_bike_at: tuple[Stop, ...] | None) -> Iterator[CrewChange]:
    if member.role != row.role:
        yield CrewChange(FIELDS["role"], str(CrewMember.Role(member.role).label), str(row.role.label))
    if any_bike_at is not None and set(any_bike_at) != set(member.any_bike_at.all()):
        before, after = _format_stops(member.any_bike_at.all()), _format_stops(any_bike_at)
        yield CrewChange(FIELDS["any_bike_at"], before, after)


def _list_namesakes(
    lines: Iterable[CrewImportLine], members: Mapping[tuple[str, str], list[CrewMember]]
) -> Iterator[str]:
    """Yield new members of whose name somebody is already in the crew of another group."""
    names = {name: found[0] for (_group, name), found in members.items()}
    for line in lines:
        if line.member is None and fold_name(line.row.name) in names:
            other = names[fold_name(line.row.name)]
            yield _("%(name)s (%(group)s)") % {"name": other.name, "group": other.group.name}


def _format_stops(stops: Iterable[Stop]) -> str:
    return ", ".join(stop.name for stop in sorted(stops, key=lambda stop: stop.ordinal))
