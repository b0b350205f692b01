"""Selects that are put together once and asked many times, for where every roll counts.

Django puts a select together anew each time it is asked, which for one that joins several tables costs more than the
database's own work. A prepared one keeps what Django made of it. Its queryset is written with a stand-in for each value
that changes, and it gives the very models that the queryset would.
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
    """A select with some values left open.

    Args:
        make: returns the queryset, from a value for every name.
        stand_ins: for every name a value that stands for nothing else in the select.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], placeholders: Mapping[str, UUID | str]) -> None:
        self._make = make
        self._placeholders = placeholders
        self._get_compiled = lru_cache(self._compile)

    def fetch(self, **values: UUID | str) -> list[M]:
        """Return the rows for these values, one for every name."""
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
    """Return what makes models of a select's rows, with all found out before that Django finds out for each select."""
    described, columns = compiler.klass_info, compiler.select
    first, *_, last = described["select_fields"]
    own = slice(first, last + 1)
    make, names = described["model"].from_db, [column.target.attname for column, *_ in columns[own]]
    related = get_related_populators(described, columns, DEFAULT_DB_ALIAS)  # type: ignore[call-arg] # stubs of Django 6
    converters = compiler.get_converters([column for column, *_ in columns])

    def read(rows: ResultRows) -> list[Any]:
        if converters:
            ours = copy(compiler)
            ours.connection = connections[DEFAULT_DB_ALIAS]  # that of this thread
            rows = ours.apply_converters(rows, converters)
        return [fill(row) for row in rows]

    def fill(row: Sequence[Any]) -> Any:
        model = make(DEFAULT_DB_ALIAS, names, row[own])
        for populator in related:
            populator.populate(row, model)
        for name, place in compiler.annotation_col_map.items():
            setattr(model, name, row[place])
        return model

    return read


def _to_db_value(value: UUID | str) -> UUID | str:
    """Return a value as the database is given it."""
    return value.hex if isinstance(value, UUID) and not connection.features.has_native_uuid_field else value
