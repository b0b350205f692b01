"""Writes a row as the data of a line, and reads it back, by the table of columns (`scorekeeper.event_rows`)."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import models

from scorekeeper.bundles.roster_names import RosterNames
from scorekeeper.event_rows import Rows

Data = dict[str, Any]


class LineCodec:
    """Writes and reads the lines of one model."""

    def __init__(self, rows: Rows) -> None:
        self.columns = [
            (column.line or column.name, field, column.shown, _DECODERS.get(_find_type(field)))
            for column, field in rows.list_bundled()
        ]

    def write(self, names: RosterNames, row: models.Model) -> Data:
        """Return the data of a row's line."""
        return {
            name: names.show(shown, row, encode(getattr(row, field.attname)))
            for name, field, shown, _decode in self.columns
        }

    def read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row by its attributes.

        Raises:
            ValueError, TypeError, InvalidOperation, binascii.Error: a text is not what its column has.
        """
        return {
            field.attname: data[name] if decode is None or data[name] is None else decode(data[name])
            for name, field, _shown, decode in self.columns
        }


def encode(value: Any) -> Any:
    """Return a value of a column as JSON has it; times as the log writes them."""
    match value:
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat(timespec="microseconds")
        case UUID() | dt.date() | dt.time() | Decimal():
            return str(value)
        case bytes() | memoryview():
            return base64.b64encode(bytes(value)).decode()
    return value


def _find_type(field: models.Field[Any, Any]) -> str:
    return (field.target_field if isinstance(field, models.ForeignKey) else field).get_internal_type()


# By the type of the field; other values are stored as they are.
_DECODERS: Mapping[str, Callable[[str], Any]] = {
    "UUIDField": UUID,
    "DateTimeField": dt.datetime.fromisoformat,
    "DateField": dt.date.fromisoformat,
    "TimeField": dt.time.fromisoformat,
    "DecimalField": Decimal,
    "BinaryField": lambda text: base64.b64decode(text, validate=True),
}
