"""The columns of a spreadsheet, and which field each is read as.

Terms: a *field* is something an import stores; a *column* is a column of the file. The organiser sees how the columns
are read and can change it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.common.names import clean_name
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem

SAMPLE_ROWS = 3


@dataclass(frozen=True)
class SpreadsheetColumn:
    """A column of the file: its index from 0, its name, samples from the first rows, and the field it is read as.

    The field is "" for a column that is not used.
    """

    index: int
    name: str
    samples: tuple[str, ...]
    field: str

    @property
    def title(self) -> str:
        """Its name, or its number if it has no name."""
        return self.name or _("Column %(number)s") % {"number": self.index + 1}


def list_columns(
    header: Sequence[str], body: Sequence[Sequence[str]], fields: Mapping[int, str]
) -> list[SpreadsheetColumn]:
    """Return the columns that have a name, or a value in one of the sample rows.

    Args:
        fields: the field of each column, by its index; those that are missing are not used.
    """
    columns = []
    for index, name in enumerate(header):
        samples = tuple(record[index] if index < len(record) else "" for record in body[:SAMPLE_ROWS])
        if name or any(samples):
            columns.append(SpreadsheetColumn(index, name, samples, fields.get(index, "")))
    return columns


def simplify_name(name: str) -> str:
    """Return the name of a column without case and punctuation, for comparing."""
    return " ".join(name.casefold().replace("_", " ").replace(".", " ").replace(":", " ").split())


def assign_by_name(
    fields: list[str],
    names: Sequence[str],
    known_names: Mapping[str, Sequence[str]],
    *,
    repeatable: Collection[str] = (),
) -> None:
    """Give columns that have no field yet the field that their name stands for.

    Args:
        fields: the field of each column; "" for none. It is changed.
        names: the simplified name of each column.
        known_names: the names of each field, the clearest first: of several columns, the one with the first is used.
        repeatable: the fields that several columns can have.
    """
    for field, known in known_names.items():
        matches = [index for index, name in enumerate(names) if name in known and not fields[index]]
        if field in repeatable:
            for index in matches:
                fields[index] = field
        elif matches:
            fields[min(matches, key=lambda index: known.index(names[index]))] = field


def find_repeated_fields(
    columns: Sequence[SpreadsheetColumn], labels: Mapping[str, str | Promise], *, repeatable: Collection[str] = ()
) -> Iterator[SpreadsheetProblem]:
    """Yield a problem for each field that several columns have and only one can have."""
    fields = [column.field for column in columns]
    for name, label in labels.items():
        if name not in repeatable and fields.count(name) > 1:
            titles = ", ".join(f"“{column.title}”" for column in columns if column.field == name)
            text = _("Only one column can be %(field)s: choose between %(columns)s")
            yield SpreadsheetProblem(text % {"field": label, "columns": titles}, is_about_columns=True)


def read_cells(
    columns: Sequence[SpreadsheetColumn], record: Sequence[str], *, lists: Collection[str] = ()
) -> dict[str, str]:
    """Return the value of each field that the file has columns for, with single spaces.

    Args:
        lists: the fields that have a list of names, possibly over several columns. They keep their line breaks.
    """
    cells: dict[str, str] = {}
    for column in columns:
        cell = record[column.index] if column.index < len(record) else ""
        if column.field in lists:
            cells[column.field] = f"{cells[column.field]},{cell}" if cells.get(column.field) else cell
        elif column.field:
            cells[column.field] = clean_name(cell)
    return cells


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a cell, which are separated by commas, semicolons, slashes or line breaks."""
    parts = text.replace(";", ",").replace("/", ",").replace("\n", ",").split(",")
    return tuple(filter(None, map(clean_name, parts)))
