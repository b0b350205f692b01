"""What was asked of the database, in a form that a test can name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
# A select is named for its first column, since what it joins and looks up on the way stands in between.
_TABLE = re.compile(r'^SELECT "(\w+)"\.|(?:^INSERT INTO|^UPDATE|^DELETE FROM) "(\w+)"')

_PART = re.compile(r"^WITH part_0 AS \(|\), part_\d+ AS \(|\) (?=INSERT INTO)")


def count_statements(client: Client, url: str) -> int:
    """Open a page, which has to be there, and return how many statements that takes."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def list_statements(queries: Iterable[Mapping[str, str]]) -> list[str]:
    """Return each statement as its verb and its table, else whole; what frames a transaction is left out.

    One that inserts into several tables, as only some databases can, is told as one for each, so that it reads alike.
    """
    asked = [query["sql"] for query in queries if not query["sql"].startswith(FRAME)]
    return [_name(sql) for statement in asked for sql in _PART.split(statement) if sql]


def _name(sql: str) -> str:
    found = _TABLE.search(sql)
    return f"{sql.split(maxsplit=1)[0]} {found[1] or found[2]}" if found else sql
