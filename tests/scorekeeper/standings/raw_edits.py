"""Edits of the database by SQL, past everything that Django checks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


def execute(statement: str, params: list[Any] | None = None) -> int:
    """Execute a statement and return how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return int(cursor.rowcount)


@contextmanager
def without_constraints() -> Iterator[None]:
    """Let statements break foreign keys and other constraints, and take back what they did.

    SQLite checks foreign keys at the end of a transaction, which is never reached here. PostgreSQL checks none for a
    superuser who replays a log.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            execute("SET LOCAL session_replication_role = replica")
        else:
            execute("PRAGMA ignore_check_constraints = ON")
        yield
        transaction.set_rollback(True)
    if connection.vendor == "sqlite":
        execute("PRAGMA ignore_check_constraints = OFF")
