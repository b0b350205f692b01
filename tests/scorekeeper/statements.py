"""Captured SQL statements, in a short form for the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.test import Client

FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
# A select is named after the table of its first column: other columns and subqueries can come before FROM.
_TABLE = re.compile(r'^SELECT "(\w+)"\.|(?:^INSERT INTO|^UPDATE|^DELETE FROM) "(\w+)"')

_PART = re.compile(r"^WITH part_0 AS \(|\), part_\d+ AS \(|\) (?=INSERT INTO)")


@contextmanager
def record_statements() -> Iterator[list[str]]:
    """Record the statements that are run, without their values.

    Django's `CaptureQueriesContext` puts the values in, on SQLite by running another statement for each.
    """
    statements: list[str] = []

    def record(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield statements


def count_statements(client: Client, url: str) -> int:
    """Open a page, which must exist, and return the number of statements that takes."""
    with record_statements() as statements:
        assert client.get(url).status_code == 200
    return len(statements)


def list_statements(queries: Iterable[Mapping[str, str]]) -> list[str]:
    """Return each statement as its verb and table, or in full; statements that begin or end transactions are omitted.

    A statement that inserts into several tables, which only some databases support, counts as one for each table, so
    that the result is the same on all databases.
    """
    statements = [query["sql"] for query in queries if not query["sql"].startswith(FRAME)]
    return [_name(sql) for statement in statements for sql in _PART.split(statement) if sql]


def _name(sql: str) -> str:
    match = _TABLE.search(sql)
    return f"{sql.split(maxsplit=1)[0]} {match[1] or match[2]}" if match else sql
