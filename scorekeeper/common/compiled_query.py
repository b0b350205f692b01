"""Queries that are compiled once and run many times, for what every request or every turn needs.

Django compiles a query anew each time it runs. For a query that joins several tables, that costs more than the
database's own work. A compiled query reuses the SQL that Django made. Its queryset is built with a placeholder for each
value that changes, and it returns the same models that the queryset would.

This uses private parts of Django's compiler. `benchmarks/compiling_queries.py` measures whether they are worth it (a
turn takes a third less CPU time), and `tests/scorekeeper/common/test_compiled_query.py` names each of them and fails if
one has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.query import QuerySet, get_related_populators

M = TypeVar("M", bound=models.Model)
ResultRows = Iterable[Sequence[Any]]


class CompiledQuery(Generic[M]):
    """A query with parameters.

    Args:
        make: returns the queryset, given a value for every parameter name.
        placeholders: for every parameter name, a value that occurs nowhere else in the query.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], placeholders: Mapping[str, UUID | str | int]) -> None:
        self._make = make
        self._placeholders = placeholders
        self._get_compiled = lru_cache(self._compile)

    def fetch(self, **values: UUID | str | int) -> list[M]:
        """Return the rows for these parameter values; every parameter needs a value."""
        sql, parameters, read = self._get_compiled(connection.vendor)
        given = {_to_db_value(self._placeholders[name]): _to_db_value(value) for name, value in values.items()}
        with connection.cursor() as cursor:
            cursor.execute(sql, [given.get(parameter, parameter) for parameter in parameters])
            return read(cursor.fetchall())

    def _compile(self, vendor: str) -> tuple[str, Sequence[Any], Callable[[ResultRows], list[M]]]:
        compiler = self._make(**self._placeholders).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        return sql, parameters, _make_reader(compiler)


def _make_reader(compiler: Any) -> Callable[[ResultRows], list[Any]]:
    """Return a function that turns rows into models, with the preparation done once that Django does for each query."""
    class_info, columns = compiler.klass_info, compiler.select
    first, *_, last = class_info["select_fields"]
    own = slice(first, last + 1)
    make, names = class_info["model"].from_db, [column.target.attname for column, *_ in columns[own]]
    related = get_related_populators(class_info, columns, DEFAULT_DB_ALIAS)  # type: ignore[call-arg] # stubs of Django 6
    converters = compiler.get_converters([column for column, *_ in columns])

    def read(rows: ResultRows) -> list[Any]:
        if converters:
            own_compiler = copy(compiler)
            own_compiler.connection = connections[DEFAULT_DB_ALIAS]  # this thread's
            rows = own_compiler.apply_converters(rows, converters)
        return [fill(row) for row in rows]

    def fill(row: Sequence[Any]) -> Any:
        model = make(DEFAULT_DB_ALIAS, names, row[own])
        for populator in related:
            populator.populate(row, model)
        for name, index in compiler.annotation_col_map.items():
            setattr(model, name, row[index])
        return model

    return read


def _to_db_value(value: UUID | str | int) -> UUID | str | int:
    """Return a value as the database driver takes it."""
    return value.hex if isinstance(value, UUID) and not connection.features.has_native_uuid_field else value
