"""Parses a crew list as spreadsheets export it: from CSV text to crew members, with every problem listed by row.

Invariant: a member has only the fields that the file has columns for: without the column "Any bike at", their stops
stay as they are; an empty cell clears them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scorekeeper.common.names import clean_name, fold_name
from scorekeeper.common.spreadsheet_columns import (
    SpreadsheetColumn,
    find_repeated_fields,
    list_columns,
    read_cells,
    split_names,
)
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem
from scorekeeper.common.spreadsheet_records import Record, find_overlong, read_records
from scorekeeper.crew.crew_columns import FIELDS, LISTS, find_role, guess_crew_fields
from scorekeeper.crew.models import CrewMember

MAX_NAME_LENGTH = 80  # characters, of a group and of a person
REQUIRED = ("group", "name", "role")

SAMPLE_CREW_CSV = """\
group,name,role,any bike at
Group one,Rita Moore,road captain,
Group one,Tom Hale,tail-gunner,
Group one,Sue Park,supervisor,Finale
Group two,Gus Lind,road captain,
"""


@dataclass(frozen=True)
class CrewRow:
    """One crew member in the file.

    Attributes:
        any_bike_at: what the cell says, and the names in it; None if the file has no such column.
    """

    row_number: int
    group: str
    name: str
    role: CrewMember.Role
    any_bike_at: tuple[str, tuple[str, ...]] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """By what a member is recognised: group and name, ignoring case."""
        return fold_name(self.group), fold_name(self.name)


@dataclass
class ParsedCrew:
    """The result of parsing: the crew, how the columns were read, and the problems."""

    rows: list[CrewRow] = field(default_factory=list)
    columns: list[SpreadsheetColumn] = field(default_factory=list)
    problems: list[SpreadsheetProblem] = field(default_factory=list)


def parse_crew(text: str, fields: Mapping[int, str] | None = None) -> ParsedCrew:
    """Parse a crew list. Never raises; it stops at the first problem only if the file exceeds a limit.

    Args:
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        fields: the chosen field of each column, by its index from 0; None to guess all of them.
    """
    crew = ParsedCrew()
    records, crew.problems = read_records(text, "group,name,role")
    if crew.problems:
        return crew
    (_first, header), *body = records
    guess = dict(enumerate(guess_crew_fields(header))) if fields is None else fields
    crew.columns = list_columns(header, [record for _row, record in body], guess)
    crew.problems += _check_columns(crew.columns)
    if not body:
        crew.problems = [
            SpreadsheetProblem(_("There are column names but no crew below them. Add a row for each person"))
        ]
    elif not crew.problems:
        _read_body(crew, body)
    return crew


def _check_columns(columns: Sequence[SpreadsheetColumn]) -> Iterator[SpreadsheetProblem]:
    yield from find_repeated_fields(columns, FIELDS, repeatable=LISTS)
    fields = {column.field for column in columns}
    if missing := [str(FIELDS[name]) for name in REQUIRED if name not in fields]:
        text = _("Choose the columns for: %(fields)s. The first row must have column names")
        yield SpreadsheetProblem(text % {"fields": ", ".join(missing)}, is_about_columns=True)


def _read_body(crew: ParsedCrew, body: Sequence[Record]) -> None:
    width = max(column.index for column in crew.columns) + 1
    first_rows: dict[tuple[str, str], int] = {}
    for row, record in body:
        if problem := find_overlong((row, record), width):
            crew.problems.append(problem)
            continue
        cells = read_cells(crew.columns, record, lists=LISTS)
        problems = list(_check_cells(cells, row))
        role = find_role(cells["role"])
        if problems or role is None:
            crew.problems += problems
            continue
        stops = cells.get("any_bike_at")
        any_bike_at = None if stops is None else (clean_name(stops), split_names(stops))
        member = CrewRow(row, cells["group"], cells["name"], role, any_bike_at)
        if member.key in first_rows:
            text = _("%(name)s is listed more than once in %(group)s") % {"name": member.name, "group": member.group}
            crew.problems += [SpreadsheetProblem(text, first_rows[member.key]), SpreadsheetProblem(text, row)]
        else:
            first_rows[member.key] = row
            crew.rows.append(member)


def _check_cells(cells: Mapping[str, str], row: int) -> Iterator[SpreadsheetProblem]:
    for name, text in (("group", _("no group")), ("name", _("no name")), ("role", _("no role"))):
        if not cells[name]:
            yield SpreadsheetProblem(text, row)
    for name in ("group", "name"):
        if len(cells[name]) > MAX_NAME_LENGTH:
            text = _("%(field)s: longer than %(most)s characters")
            yield SpreadsheetProblem(text % {"field": FIELDS[name], "most": MAX_NAME_LENGTH}, row)
    if cells["role"] and find_role(cells["role"]) is None:
        text = _("the role is not road captain, tail-gunner or supervisor")
        yield SpreadsheetProblem(text, row, cells["role"])
