"""Writes a row as the data of a line, and reads it back, by the table of columns (`scorekeeper.event_rows`).

A bundle is made of these lines, and `manage.py verify` compares them with the log, as `python -m games verify` does.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db import models

from scorekeeper.event_rows import RowColumn, Shown

Data = dict[str, Any]
Show = Callable[[Shown, Any, Any], Any]


class Coding(NamedTuple):
    """How values of a type are written as JSON, and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def write_time(value: dt.datetime) -> str:
    """Return a time as the log writes it."""
    return value.astimezone(dt.UTC).isoformat(timespec="microseconds")


# By the type of the field; other values are written as they are.
CODINGS: Mapping[str, Coding] = {
    "UUIDField": Coding(str, UUID),
    "DateTimeField": Coding(write_time, dt.datetime.fromisoformat),
    "DateField": Coding(str, dt.date.fromisoformat),
    "TimeField": Coding(str, dt.time.fromisoformat),
    "DecimalField": Coding(str, Decimal),
    "BinaryField": Coding(
        lambda content: base64.b64encode(content).decode(), lambda text: base64.b64decode(text, validate=True)
    ),
}


class LineCodec:
    """Writes and reads the lines of one section.

    Attributes:
        field_names: the fields that the lines have.
    """

    def __init__(self, columns: Iterable[tuple[RowColumn, Any]]) -> None:
        """Look up how these columns are written, each with its field."""
        self.field_names: list[str] = []
        self._columns: list[tuple[str, str, Coding | None]] = []
        self._shown: list[tuple[str, Shown]] = []
        for column, field in columns:
            name = column.line.rpartition(".")[2] or column.name
            stored = field.target_field if isinstance(field, models.ForeignKey) else field
            self.field_names.append(field.name)
            self._columns.append((name, field.attname, CODINGS.get(stored.get_internal_type())))
            self._shown.append((name, column.shown))

    def write(self, row: models.Model, show: Show | None = None) -> Data:
        """Return the data of a row's line.

        Args:
            show: returns what is shown in place of a value of the row; None if everything is.
        """
        data = {}
        for name, attribute, coding in self._columns:
            value = getattr(row, attribute)
            data[name] = value if value is None or coding is None else coding.write(value)
        return data if show is None else {name: show(shown, row, data[name]) for name, shown in self._shown}

    def read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row by its attributes.

        Raises:
            ValueError, TypeError, InvalidOperation, binascii.Error: a text is not what its column has.
        """
        values = {}
        for name, attribute, coding in self._columns:
            value = data[name]
            values[attribute] = value if value is None or coding is None else coding.read(value)
        return values
