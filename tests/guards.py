"""The database's guards of the tables that only grow, taken down and put up again by hand."""

from __future__ import annotations

from django.db import connection

from scorekeeper.scorecards.append_only import GUARDS, build_guard_sql, build_unguard_sql
from scorekeeper.standings.append_only import REVISION_GUARD

ALL = (*GUARDS, REVISION_GUARD)


def install_guards() -> None:
    """Put up all guards, as the migrations have."""
    _run([statement for guard in ALL for statement in build_guard_sql(connection.vendor, guard)])


def remove_guards() -> None:
    """Take down all guards, as somebody with every right can."""
    _run([statement for guard in ALL for statement in build_unguard_sql(connection.vendor, guard)])


def _run(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
