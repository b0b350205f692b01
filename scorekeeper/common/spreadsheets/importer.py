"""The steps of an import: a text is read row by row, the rows make a plan, and the plan is confirmed and executed.

Terms: a line of a plan is *new*, *changed* or *unchanged*.

Invariants:
- The plan's digest covers everything it would do. The user sends it back to confirm, so that exactly what they saw
  happens.
- Either everything is imported, or nothing.
- A plan made after its own import has only unchanged lines, so repeating an import changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.spreadsheets.sheets import (
    Cells,
    Column,
    Field,
    Label,
    Problem,
    Record,
    Sheet,
    UnusableSheet,
    find_repeated_fields,
    find_surplus_cells,
    guess_by_name,
    list_columns,
    read_cells,
    read_sheet,
)

Status = Literal["new", "changed", "unchanged"]


class StaleImportPlan(Exception):
    """The import would not do what was confirmed: the text, its columns or what is stored has changed since then."""


class Row(Protocol):
    """A row as an import understands it, with only the fields that the file has columns for."""

    @property
    def key(self) -> Hashable:
        """By what it is recognised: no two rows have the same."""


T = TypeVar("T")
RowT = TypeVar("RowT", bound=Row)


@dataclass(frozen=True)
class Reading(Generic[RowT]):
    """What was read of a text: the rows, how the columns were read, and the problems."""

    rows: list[RowT] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Change(NamedTuple):
    """A field that would change."""

    field: Label
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Line(ABC):
    """A row of the file, and what would happen.

    Attributes:
        is_new: whether nothing stored is recognised by the row.
        changes: what would change; empty for something new.
        new_group: the name of the group that would be created for it; "" for none.
        namesake: who else has the name, and stays as they are; "" for nobody.
    """

    is_new: bool
    changes: tuple[Change, ...]
    new_group: str = ""
    namesake: str = ""

    @property
    def status(self) -> Status:
        """What would happen."""
        if self.is_new:
            return "new"
        return "changed" if self.changes else "unchanged"

    @property
    @abstractmethod
    def content(self) -> tuple[object, ...]:
        """Everything that would be stored, as JSON can have it."""


LineT = TypeVar("LineT", bound=Line)


@dataclass(frozen=True)
class ImportPlan(Generic[LineT]):
    """Everything that an import would do; with problems it would do nothing."""

    lines: tuple[LineT, ...]
    problems: tuple[Problem, ...]
    columns: tuple[Column, ...]

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns that are not used."""
        return tuple(column.title for column in self.columns if not column.field)

    @property
    def new_groups(self) -> tuple[str, ...]:
        """The groups that would be created, in their order."""
        return tuple(dict.fromkeys(line.new_group for line in self.lines if line.new_group))

    @property
    def namesakes(self) -> tuple[str, ...]:
        """Who has the same name as somebody new."""
        return tuple(line.namesake for line in self.lines if line.namesake)

    @cached_property
    def counts(self) -> Counter[Status]:
        """How many lines have each status."""
        return Counter(line.status for line in self.lines)

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the plan would do."""
        content = [(*line.content, [change[1:] for change in line.changes]) for line in self.lines]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


class Importer(ABC, Generic[RowT, LineT]):
    """An import of one kind of list.

    Attributes:
        fields: what it stores.
        example: column names as an example for a file without any.
        sample: a file that shows how a list can look.
        no_rows: the problem of a file that has only column names.
        no_columns: the problem of a file without columns for fields that every row must have.
        repetition: the problem of a row whose key another row has; it can name what the row has.
        added: how many were added.
    """

    fields: ClassVar[Mapping[str, Field]]
    example: ClassVar[str]
    sample: ClassVar[str]
    no_rows: ClassVar[Label]
    no_columns: ClassVar[Label] = _("Choose the columns for: %(fields)s. The first row must have column names")
    repetition: ClassVar[Label]
    added: ClassVar[Label]

    def guess_fields(self, sheet: Sheet) -> Mapping[int, str]:
        """Return the field of each column, by its index, that its name suggests."""
        return guess_by_name(sheet.header, self.fields)

    @abstractmethod
    def read_row(self, row: int, cells: Cells) -> Iterator[RowT | Problem]:
        """Yield a row's problems, and the row itself as far as it can be recognised.

        Args:
            row: its number.
            cells: its values; those of fields without a column are missing.
        """

    @abstractmethod
    def plan_lines(self, rows: Iterable[RowT]) -> Iterator[LineT | Problem]:
        """Yield a line for each row, or else its problems. Nothing is written."""

    @abstractmethod
    def lock(self) -> None:
        """Let only one import run at a time, until the end of the transaction."""

    @abstractmethod
    def apply_plan(self, plan: ImportPlan[LineT]) -> None:
        """Write what the plan says.

        Raises:
            StaleImportPlan: something has changed since the plan was made.
        """

    def read_text(self, text: str, chosen: Mapping[int, str] | None = None) -> Reading[RowT]:
        """Return what is in a text. Never raises; it stops at the first problem only beyond a limit.

        Args:
            text: CSV, as `files.decode_spreadsheet` returns it.
            chosen: the field of each column, by its index from 0; None to guess all of them.
        """
        try:
            sheet = read_sheet(text, self.example)
        except UnusableSheet as error:
            return Reading(problems=[error.problem])
        columns = list_columns(sheet, self.guess_fields(sheet) if chosen is None else chosen)
        if not sheet.body:
            return Reading(columns=columns, problems=[Problem(self.no_rows)])
        if problems := list(self._check_columns(columns)):
            return Reading(columns=columns, problems=problems)
        rows, problems = self._read_rows(columns, sheet.body)
        return Reading(rows, columns, problems)

    def make_plan(self, text: str, chosen: Mapping[int, str] | None = None) -> ImportPlan[LineT]:
        """Return the plan for importing a text, with the arguments of `read_text`. Nothing is written."""
        reading = self.read_text(text, chosen)
        lines, problems = _separate(self.plan_lines(reading.rows))
        return ImportPlan(tuple(lines), (*reading.problems, *problems), tuple(reading.columns))

    def execute_plan(self, text: str, digest: str, chosen: Mapping[int, str] | None = None) -> ImportPlan[LineT]:
        """Execute the plan with this digest, and return it. The other arguments are those of `read_text`.

        Raises:
            StaleImportPlan: the import would now do something else; nothing was changed.
        """
        try:
            with transaction.atomic():
                self.lock()
                plan = self.make_plan(text, chosen)
                if plan.problems or plan.digest != digest:
                    raise StaleImportPlan
                self.apply_plan(plan)
        except IntegrityError as error:
            # A number or the name of a group was taken after the plan was made.
            raise StaleImportPlan from error
        return plan

    def _check_columns(self, columns: Sequence[Column]) -> Iterator[Problem]:
        yield from find_repeated_fields(columns, self.fields)
        present = {column.field for column in columns}
        if missing := [str(f.label) for key, f in self.fields.items() if f.missing and key not in present]:
            yield Problem(str(self.no_columns) % {"fields": ", ".join(missing)}, is_about_columns=True)

    def _read_rows(self, columns: Sequence[Column], records: Iterable[Record]) -> tuple[list[RowT], list[Problem]]:
        rows: list[RowT] = []
        problems: list[Problem] = []
        first_rows: dict[Hashable, int] = {}
        width = max(column.index for column in columns) + 1
        for record in records:
            if surplus := find_surplus_cells(record, width):
                problems.append(surplus)
                continue
            found, wrong = _separate(self.read_row(record.row, read_cells(columns, record, self.fields)))
            for row in found:
                if row.key in first_rows:
                    text = str(self.repetition) % vars(row)
                    problems += [Problem(text, first_rows[row.key]), Problem(text, record.row)]
                    continue
                first_rows[row.key] = record.row
                if not wrong:
                    rows.append(row)
            problems += wrong
        return rows, problems


def _separate(found: Iterable[T | Problem]) -> tuple[list[T], list[Problem]]:
    """Return the rows or lines, and the problems."""
    others: list[T] = []
    problems: list[Problem] = []
    for each in found:
        if isinstance(each, Problem):
            problems.append(each)
        else:
            others.append(each)
    return others, problems
