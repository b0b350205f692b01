"""Selects that are put together once and asked many times, for where every roll counts.

Django puts a select together anew each time it is asked, which for one that joins several tables costs more than the
database's own work. A prepared one keeps what Django made of it. Its queryset is written with a stand-in for each value
that changes, and it gives the very models that the queryset would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.query import ModelIterable, QuerySet

M = TypeVar("M", bound=models.Model)


class Prepared(Generic[M]):
    """A select with some values left open.

    Args:
        make: returns the queryset, from a value for every name.
        stand_ins: for every name a value that stands for nothing else in the select.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], stand_ins: Mapping[str, UUID | str]) -> None:
        self._make = make
        self._stand_ins = stand_ins
        self._put_together = lru_cache(self._compile)

    def ask(self, **values: UUID | str) -> list[M]:
        """Return the rows for these values, one for every name."""
        compiler, sql, parameters = self._put_together(connection.vendor)
        given = {_written(self._stand_ins[name]): _written(value) for name, value in values.items()}
        asked = copy(compiler)
        asked.connection = connections[DEFAULT_DB_ALIAS]  # that of this thread
        asked.as_sql = lambda: (sql, tuple(given.get(parameter, parameter) for parameter in parameters))
        query = SimpleNamespace(get_compiler=lambda using: asked)
        rows = SimpleNamespace(db=DEFAULT_DB_ALIAS, query=query, _known_related_objects={})
        return list(ModelIterable(cast(QuerySet[M], rows)))

    def _compile(self, vendor: str) -> tuple[Any, str, tuple[Any, ...]]:
        compiler = self._make(**self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        return compiler, sql, tuple(parameters)


def _written(value: UUID | str) -> UUID | str:
    """Return a value as the database is given it."""
    return value.hex if isinstance(value, UUID) and not connection.features.has_native_uuid_field else value
