"""The database's guards of the tables that only grow, taken down and put up again by hand."""

from __future__ import annotations

from django.db import connection

from scorekeeper.scorecards.append_only import GUARDS, guard_statements, unguard_statements
from scorekeeper.standings.append_only import REVISIONS

ALL = (*GUARDS, REVISIONS)


def put_up() -> None:
    """Put up all guards, as the migrations have."""
    _run([statement for guard in ALL for statement in guard_statements(connection.vendor, guard)])


def take_down() -> None:
    """Take down all guards, as somebody with every right can."""
    _run([statement for guard in ALL for statement in unguard_statements(connection.vendor, guard)])


def _run(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
