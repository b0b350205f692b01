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
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.spreadsheets.cells import FORMULA_MARK, is_made_date, is_total, repair_encoding
from scorekeeper.common.spreadsheets.sheets import (
    Cells,
    Column,
    Field,
    Label,
    Note,
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
    simplify_name,
)

TOTAL = _("left out, because it reads like a total")
REPAIRED = _("read with the letters repaired")
MADE_DATE = _("this is a date, which a spreadsheet makes of text such as 9/3. Type what it was")
FORMULA = _(
    "this is a formula without a stored value. Open the workbook in a spreadsheet program and save it, or type the "
    "value"
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


class Choices(NamedTuple):
    """How the user wants a text to be read.

    Attributes:
        fields: of the columns, by their index from 0; None to guess all of them.
        heading: the row with the names of the columns; None to find it.
        gives_numbers: whether rows without a number are given one.
    """

    fields: Mapping[int, str] | None = None
    heading: int | None = None
    gives_numbers: bool = False


GUESSED = Choices()


@dataclass(frozen=True)
class Reading(Generic[RowT]):
    """What was read of a text.

    Attributes:
        columns: and the field that each is read as.
        notes: what was read differently from the file, or left out.
        heading: the row with the names of the columns; 0 if there is none.
        titles: the rows above it, which are left out.
    """

    rows: list[RowT] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    heading: int = 0
    titles: list[int] = field(default_factory=list)


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
        new_classes: the names of the classes that would be created for it.
        namesake: who else has the name, and stays as they are; "" for nobody.
    """

    is_new: bool
    changes: tuple[Change, ...]
    new_group: str = ""
    new_classes: tuple[str, ...] = ()
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
    """Everything that an import would do; with problems it would do nothing.

    Attributes:
        reading: what was read of the text.
        doubts: what is worth a look before importing, in sentences.
        questions: what somebody has to agree to, in sentences.
    """

    lines: tuple[LineT, ...]
    problems: tuple[Problem, ...]
    reading: Reading[Any]
    doubts: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the text."""
        return self.reading.columns

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns that are not used."""
        return tuple(column.title for column in self.columns if not column.field)

    @property
    def new_groups(self) -> tuple[str, ...]:
        """The groups that would be created, in their order."""
        return tuple(dict.fromkeys(line.new_group for line in self.lines if line.new_group))

    @property
    def has_classes(self) -> bool:
        """Whether the text has a column of classes."""
        return any(column.field == "classes" for column in self.columns)

    @property
    def new_classes(self) -> tuple[str, ...]:
        """The classes that would be created, in their order."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line.new_classes))

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
        sample: a file that shows how a list can look; its first line has the keys of the fields.
        no_rows: the problem of a file that has only column names.
        no_columns: the problem of a file without columns for fields that every row must have.
        repetition: the problem of a row whose key another row has; it can name what the row has.
        added: how many were added.
        given_field: the field that rows without it can be given; "" if there is none.
    """

    fields: ClassVar[Mapping[str, Field]]
    example: ClassVar[str]
    sample: ClassVar[str]
    no_rows: ClassVar[Label]
    no_columns: ClassVar[Label] = _("Choose the columns for: %(fields)s. The first row must have column names")
    repetition: ClassVar[Label]
    added: ClassVar[Label]
    given_field: ClassVar[str] = ""

    def guess_fields(self, sheet: Sheet) -> Mapping[int, str]:
        """Return the field of each column, by its index, that its name suggests."""
        return guess_by_name(sheet.header, self.fields)

    @abstractmethod
    def read_row(self, row: int, cells: Cells, choices: Choices) -> Iterator[RowT | Problem]:
        """Yield a row's problems and notes, and the row itself as far as it can be recognised.

        Args:
            row: its number.
            cells: its values; those of fields without a column are missing.
        """

    @abstractmethod
    def plan_lines(self, rows: Iterable[RowT]) -> Iterator[LineT | Problem]:
        """Yield a line for each row, or else its problems. Nothing is written."""

    def list_doubts(self, lines: Sequence[LineT]) -> Iterator[str]:
        """Yield what is worth a look before importing."""
        yield from ()

    def list_questions(self, lines: Sequence[LineT]) -> Iterator[str]:
        """Yield what somebody has to agree to before importing."""
        yield from ()

    @abstractmethod
    def lock(self) -> None:
        """Let only one import run at a time, until the end of the transaction."""

    @abstractmethod
    def apply_plan(self, plan: ImportPlan[LineT]) -> None:
        """Write what the plan says.

        Raises:
            StaleImportPlan: something has changed since the plan was made.
        """

    def read_text(self, text: str, choices: Choices = GUESSED) -> Reading[RowT]:
        """Return what is in a text. Never raises; it stops at the first problem only beyond a limit.

        Args:
            text: CSV, as `files.decode_spreadsheet` returns it.
        """
        known = {simplify_name(name) for each in self.fields.values() for name in each.names}
        try:
            sheet = read_sheet(text, self.example, known, choices.heading)
        except UnusableSheet as error:
            return Reading(problems=[error.problem])
        columns = list_columns(sheet, self.guess_fields(sheet) if choices.fields is None else choices.fields)
        reading = Reading[RowT](columns=columns, heading=sheet.heading, titles=sheet.titles)
        if not sheet.body:
            reading.problems.append(Problem(self.no_rows))
        else:
            reading.problems.extend(self._check_columns(columns, choices))
        if not reading.problems:
            self._read_rows(reading, sheet.body, choices)
        return reading

    def make_plan(self, text: str, choices: Choices = GUESSED) -> ImportPlan[LineT]:
        """Return the plan for importing a text, with the arguments of `read_text`. Nothing is written."""
        reading = self.read_text(text, choices)
        lines, problems, _notes = _separate(self.plan_lines(reading.rows))
        doubts, questions = tuple(self.list_doubts(lines)), tuple(self.list_questions(lines))
        return ImportPlan(tuple(lines), (*reading.problems, *problems), reading, doubts, questions)

    def execute_plan(self, text: str, digest: str, choices: Choices = GUESSED) -> ImportPlan[LineT]:
        """Execute the plan with this digest, and return it. The other arguments are those of `read_text`.

        Raises:
            StaleImportPlan: the import would now do something else; nothing was changed.
        """
        try:
            with transaction.atomic():
                self.lock()
                plan = self.make_plan(text, choices)
                if plan.problems or plan.digest != digest:
                    raise StaleImportPlan
                self.apply_plan(plan)
        except IntegrityError as error:
            # A number or the name of a group was taken after the plan was made.
            raise StaleImportPlan from error
        return plan

    def _check_columns(self, columns: Sequence[Column], choices: Choices) -> Iterator[Problem]:
        yield from find_repeated_fields(columns, self.fields)
        present = {column.field for column in columns}
        if choices.gives_numbers:
            present.add(self.given_field)
        missing = [str(one.label) for key, one in self.fields.items() if one.missing and key not in present]
        if missing:
            yield Problem(str(self.no_columns) % {"fields": ", ".join(missing)}, is_about_columns=True)

    def _read_rows(self, reading: Reading[RowT], records: Iterable[Record], choices: Choices) -> None:
        """Add the rows of the records, with their problems and notes."""
        first_rows: dict[Hashable, int] = {}
        width = max(column.index for column in reading.columns) + 1
        for record in records:
            if is_total(record.cells):
                reading.notes.append(Note(TOTAL, record.row, ", ".join(filter(None, record.cells))))
                continue
            if surplus := find_surplus_cells(record, width):
                reading.problems.append(surplus)
                continue
            cells = read_cells(reading.columns, record, self.fields)
            found, problems, notes = _separate(
                [*self._repair(record.row, cells), *self.read_row(record.row, cells, choices)]
            )
            for row in found:
                if row.key in first_rows:
                    text = str(self.repetition) % vars(row)
                    reading.problems.extend((Problem(text, first_rows[row.key]), Problem(text, record.row)))
                    continue
                first_rows[row.key] = record.row
                if not problems:
                    reading.rows.append(row)
            reading.problems.extend(_locate(problem, reading.columns) for problem in problems)
            reading.notes.extend(_locate(note, reading.columns) for note in notes)

    def _repair(self, row: int, cells: dict[str, str]) -> Iterator[RowT | Problem]:
        """Repair what programs have made of the cells of a row; yield what was repaired, and what cannot be."""
        for key, cell in cells.items():
            repaired = repair_encoding(cell)
            if repaired != cell:
                cells[key] = repaired
                yield Note(REPAIRED, row, f"{cell} → {repaired}", field=key)
            if cell.startswith(FORMULA_MARK):
                yield Problem(FORMULA, row, cell.removeprefix(FORMULA_MARK), field=key)
            elif is_made_date(cell) and not self.fields[key].missing:
                yield Problem(MADE_DATE, row, cell, field=key)


ProblemT = TypeVar("ProblemT", bound=Problem)


def _locate(problem: ProblemT, columns: Iterable[Column]) -> ProblemT:
    """Return a problem with the column of its cell."""
    column = next((column.index for column in columns if problem.field and column.field == problem.field), None)
    return replace(problem, column=column)


def _separate(found: Iterable[T | Problem]) -> tuple[list[T], list[Problem], list[Note]]:
    """Return the rows or lines, the problems, and the notes."""
    others: list[T] = []
    problems: list[Problem] = []
    notes: list[Note] = []
    for each in found:
        if isinstance(each, Note):
            notes.append(each)
        elif isinstance(each, Problem):
            problems.append(each)
        else:
            others.append(each)
    return others, problems, notes
