"""Bulk inserts with statements that are compiled once per table, for the recording path.

Django compiles an insert anew each time, with a parameter for every value. On the recording path that costs more than
the database's own work. Here all rows of a table are sent in one parameter, as a JSON list that the database expands.
Where the database can, one statement writes several tables, since a round trip costs more than the rows.

The stored values are the same as Django's: each field prepares its own. Columns that the database fills in are left to
it, and the model instances do not get those values.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, models

OWN_FIELDS = "scorekeeper."


@dataclass(frozen=True)
class BulkInsert:
    """Rows of one table to insert.

    Attributes:
        update_fields: fields to update where the primary key exists already. Without any, that is an error.
    """

    rows: Sequence[models.Model]
    update_fields: tuple[str, ...] = ()


def insert_rows(*tables: BulkInsert) -> None:
    """Insert rows of several tables: on PostgreSQL in one statement, elsewhere in one per table, in the given order.

    Raises:
        IntegrityError: a row violates a constraint.
    """
    filled = [table for table in tables if table.rows]
    if not filled:
        return
    shape = tuple((type(table.rows[0]), table.update_fields) for table in filled)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_join_statements(shape), [_encode_rows(table.rows) for table in filled])
        else:
            for (model, update), table in zip(shape, filled, strict=True):
                cursor.execute(_make_statement(connection.vendor, model, update), [_encode_rows(table.rows)])


def _encode_rows(rows: Sequence[models.Model]) -> str:
    fields = _list_fields(type(rows[0]))
    if connection.vendor == "postgresql":
        # PostgreSQL reads each value as its column's type, and a JSON document as it is. Only fields of our own may
        # store something else than they have in Python.
        get_values = attrgetter(*(field.attname for field in fields))
        found = [list(get_values(row)) for row in rows]
        for index, field in enumerate(fields):
            if type(field).__module__.startswith(OWN_FIELDS):
                for values in found:
                    values[index] = field.get_prep_value(values[index])
        return json.dumps(found, default=_to_json_value)
    database = connections[DEFAULT_DB_ALIAS]
    values = [[field.get_db_prep_save(getattr(row, field.attname), database) for field in fields] for row in rows]
    return json.dumps(values, default=_to_json_value)


def _to_json_value(value: object) -> object:
    """Return the JSON form of a value that a driver would take."""
    match value:
        case UUID():
            return str(value)
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case Decimal():
            return str(value)
        case _:
            raise TypeError(f"no table written by bulk insert has a value of type {type(value).__name__}")


@lru_cache
def _list_fields(model: type[models.Model]) -> Sequence[Any]:
    concrete = model._meta.concrete_fields  # noqa: SLF001 - Django's documented way to a model's fields
    return [field for field in concrete if not isinstance(field, models.AutoField)]


@lru_cache
def _join_statements(shape: Sequence[tuple[type[models.Model], Sequence[str]]]) -> str:
    """Return one statement for several tables. Foreign keys between them are checked once all rows are inserted."""
    *first, last = (_make_statement("postgresql", model, update) for model, update in shape)
    parts = ", ".join(f"part_{number} AS ({statement})" for number, statement in enumerate(first))
    return f"WITH {parts} {last}" if parts else last


@lru_cache
def _make_statement(vendor: str, model: type[models.Model], update: Sequence[str]) -> str:
    fields, meta, quote = _list_fields(model), model._meta, connection.ops.quote_name  # noqa: SLF001 - as above
    columns = ", ".join(quote(field.column) for field in fields)
    if vendor == "postgresql":
        values = ", ".join(f"(value->>{index})::{field.db_type(connection)}" for index, field in enumerate(fields))
        source = f"SELECT {values} FROM jsonb_array_elements(%s)"  # noqa: S608 - see below
    else:
        values = ", ".join(f"json_extract(value, '$[{index}]')" for index in range(len(fields)))
        # Without a WHERE, SQLite could not tell ON CONFLICT from the ON of a join.
        source = f"SELECT {values} FROM json_each(%s) WHERE true"  # noqa: S608 - see below
    # The names are those of our own tables and columns; every value is in the parameter.
    statement = f"INSERT INTO {quote(meta.db_table)} ({columns}) {source}"
    if not update:
        return statement
    (key,) = [quote(field.column) for field in fields if field.primary_key]
    changed = [quote(field.column) for field in fields if field.name in update]
    assignments = ", ".join(f"{column} = excluded.{column}" for column in changed)
    return f"{statement} ON CONFLICT ({key}) DO UPDATE SET {assignments}"
