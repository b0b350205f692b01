"""Removes and installs the database's append-only guards."""

from __future__ import annotations

from django.db import connection

from scorekeeper.ledger.append_only import GUARDS, build_guard_sql, build_unguard_sql
from scorekeeper.standings.append_only import DELETED_EVENT_GUARD, REVISION_GUARD
from scorekeeper.standings.event_log_removal import build_event_unguards

ALL = (*GUARDS, REVISION_GUARD, DELETED_EVENT_GUARD)


def install_guards() -> None:
    """Install all guards, as the migrations do."""
    _run([statement for guard in ALL for statement in build_guard_sql(connection.vendor, guard)])


def remove_guards() -> None:
    """Remove all guards, as a database user with all rights can."""
    _run([statement for guard in ALL for statement in build_unguard_sql(connection.vendor, guard)])


def remove_event_guards() -> None:
    """Remove what keeps the log at its event; only PostgreSQL has it."""
    if connection.vendor == "postgresql":
        _run(build_event_unguards())


def _run(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
