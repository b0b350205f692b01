"""Inserting rows by a statement that is put together once for each table, for where every roll counts.

Django puts an insert together anew each time, with a parameter for every value, which on the recording path costs more
than the database's own work. Here all rows of a table travel in one parameter, as a list in JSON, and the database
takes them apart; where it can, several tables are written by one statement, since each way to the database and back
costs more than the rows. What is written is the same: each value is prepared by its field. Columns that the database
fills are left to it, and the rows do not learn of them.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, models


@dataclass(frozen=True)
class BulkInsert:
    """Rows of one table, to be inserted.

    Attributes:
        update: fields to be brought up to date where the primary key is there already; without any that is an error.
    """

    rows: Sequence[models.Model]
    update_fields: tuple[str, ...] = ()


def insert_rows(*tables: BulkInsert) -> None:
    """Insert rows of several tables; on PostgreSQL by one statement, elsewhere by one for each table, in their order.

    Raises:
        IntegrityError: a row cannot stand beside those that are there.
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
        # It reads each value by its column's type, and a document as it stands.
        take = attrgetter(*(field.attname for field in fields))
        return json.dumps([take(row) for row in rows], default=_to_json_value)
    database = connections[DEFAULT_DB_ALIAS]
    values = [[field.get_db_prep_save(getattr(row, field.attname), database) for field in fields] for row in rows]
    return json.dumps(values, default=_to_json_value)


def _to_json_value(value: object) -> object:
    """Return what a driver would be given as JSON has it."""
    match value:
        case UUID():
            return str(value)
        case dt.datetime():
            return value.isoformat()
        case _:
            raise TypeError(f"{type(value).__name__} is in none of the tables that are written so")


@lru_cache
def _list_fields(model: type[models.Model]) -> Sequence[Any]:
    concrete = model._meta.concrete_fields  # noqa: SLF001 - Django's documented way to a model's fields
    return [field for field in concrete if not isinstance(field, models.AutoField)]


@lru_cache
def _join_statements(shape: Sequence[tuple[type[models.Model], Sequence[str]]]) -> str:
    """Return one statement for several tables. Keys between them are looked at when all their rows are there."""
    *first, last = (_make_statement("postgresql", model, update) for model, update in shape)
    named = ", ".join(f"part_{number} AS ({statement})" for number, statement in enumerate(first))
    return f"WITH {named} {last}" if named else last


@lru_cache
def _make_statement(vendor: str, model: type[models.Model], update: Sequence[str]) -> str:
    fields, meta, name = _list_fields(model), model._meta, connection.ops.quote_name  # noqa: SLF001 - as above
    columns = ", ".join(name(field.column) for field in fields)
    if vendor == "postgresql":
        taken = ", ".join(f"(value->>{at})::{field.db_type(connection)}" for at, field in enumerate(fields))
        source = f"SELECT {taken} FROM jsonb_array_elements(%s)"  # noqa: S608 - see below
    else:
        taken = ", ".join(f"json_extract(value, '$[{at}]')" for at in range(len(fields)))
        # Without a WHERE, SQLite could not tell ON CONFLICT from the ON of a join.
        source = f"SELECT {taken} FROM json_each(%s) WHERE true"  # noqa: S608 - see below
    # The names are those of our own tables and columns; every value is in the parameter.
    statement = f"INSERT INTO {name(meta.db_table)} ({columns}) {source}"
    if not update:
        return statement
    (key,) = [name(field.column) for field in fields if field.primary_key]
    changed = [name(field.column) for field in fields if field.name in update]
    return f"{statement} ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{one} = excluded.{one}' for one in changed)}"
