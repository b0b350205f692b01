"""Inserting rows by a statement that is put together once for each table and count, for where every roll counts.

Django puts an insert together anew each time, which on the recording path costs more than the database's own work.
What is written is the same: each value is prepared by its field. Columns that the database fills are left to it, and
the rows do not learn of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import connection, models

MOST_PARAMETERS = 30_000  # of one statement; SQLite takes 32,766


def insert_rows(rows: Sequence[models.Model], update: Sequence[str] = ()) -> None:
    """Insert rows of one table.

    Args:
        update: fields to be brought up to date where the primary key is there already; without any that is an error.

    Raises:
        IntegrityError: a row cannot stand beside those that are there.
    """
    if not rows:
        return
    model = type(rows[0])
    fields = _fields(model)
    for first in range(0, len(rows), MOST_PARAMETERS // len(fields)):
        some = rows[first : first + MOST_PARAMETERS // len(fields)]
        values = [field.get_db_prep_save(getattr(row, field.attname), connection) for row in some for field in fields]
        with connection.cursor() as cursor:
            cursor.execute(_make_statement(connection.vendor, model, len(some), tuple(update)), values)


@lru_cache
def _fields(model: type[models.Model]) -> Sequence[Any]:
    concrete = model._meta.concrete_fields  # noqa: SLF001 - Django's documented way to a model's fields
    return [field for field in concrete if not isinstance(field, models.AutoField)]


@lru_cache(maxsize=4096)
def _make_statement(vendor: str, model: type[models.Model], count: int, update: Sequence[str]) -> str:
    fields, meta, name = _fields(model), model._meta, connection.ops.quote_name  # noqa: SLF001 - as above
    columns = ", ".join(name(field.column) for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    # The names are those of our own tables and columns; every value is a parameter.
    statement = f"INSERT INTO {name(meta.db_table)} ({columns}) VALUES {', '.join([row] * count)}"  # noqa: S608
    if not update:
        return statement
    (key,) = [name(field.column) for field in fields if field.primary_key]
    changed = [name(field.column) for field in fields if field.name in update]
    return f"{statement} ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{one} = excluded.{one}' for one in changed)}"
