"""A part of what is stored about a person: rows with named columns, the same for the file and for the page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
MAX_COLUMNS = 7


@dataclass(frozen=True, slots=True)
class PersonSection:
    """Rows about the person.

    Attributes:
        key: the section's name in the file.
        about: what the rows are, and why they are stored.
        headings: the heading of each column, by the column's name in the file.
        rows: times and plain data: texts, numbers, booleans, None, and lists and objects of these.
    """

    key: str
    title: str
    about: str
    headings: Mapping[str, str]
    rows: Sequence[Row]

    @property
    def is_wide(self) -> bool:
        """Whether it has more columns than fit on a page."""
        return len(self.headings) > MAX_COLUMNS

    def to_data(self) -> dict[str, Any]:
        """Return the section as the file has it, with times as texts."""
        rows = [{name: _write_time(row.get(name)) for name in self.headings} for row in self.rows]
        return {"about": self.about, "columns": dict(self.headings), "rows": rows}


def _write_time(value: Any) -> Any:
    return value.astimezone(dt.UTC).isoformat(timespec="seconds") if isinstance(value, dt.datetime) else value
