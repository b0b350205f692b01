"""Rows as a ride carries them: plain JSON, each table once with its columns.

The server spells rows as its database holds them; a phone reads them into its own. Both know the models, so the columns
are named by attributes of those: `{"scorecards.Turn": {"columns": ["id", ...], "rows": [["...", ...], ...]}}`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models
from django.db.models.fields.json import JSONField

Table = dict[str, Any]


def spell(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return rows as a ride carries them."""
    return {"columns": list(columns), "rows": [[_spell(value) for value in row] for row in rows]}


def _spell(value: Any) -> Any:
    match value:
        case UUID():
            return str(value)
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat()
        case dt.date():
            return value.isoformat()
        case _:
            return value


def read(tables: Mapping[str, Table]) -> None:
    """Put the rows of a ride into the database."""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for label, table in tables.items():
            _read_table(cursor, apps.get_model(label), table["columns"], table["rows"])


def _read_table(cursor: Any, model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    given: dict[str, Any] = {field.attname: field for field in model._meta.concrete_fields}  # noqa: SLF001 - documented
    # What a ride leaves out is what a new row would have.
    left_out = [field for name, field in given.items() if name not in columns and not field.primary_key]
    fields = [*(given[name] for name in columns), *left_out]
    more = [field.get_default() for field in left_out]
    name = connection.ops.quote_name
    into = ", ".join(name(field.column) for field in fields)
    values = ", ".join("%s" for _ in fields)
    statement = f"INSERT INTO {name(model._meta.db_table)} ({into}) VALUES ({values})"  # noqa: S608, SLF001 - our tables
    cursor.executemany(statement, [[_write(f, v) for f, v in zip(fields, [*row, *more], strict=True)] for row in rows])


def _write(field: Any, value: Any) -> Any:
    if isinstance(field, JSONField):
        return field.get_db_prep_save(value, connection)
    return field.get_db_prep_save(field.to_python(value), connection)
