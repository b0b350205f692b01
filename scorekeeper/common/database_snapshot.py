"""Reading many tables as they were at one moment, while others write.

Between two statements somebody may note a turn: a phone would be told a chain without its last entry and could append
to it twice, and verification would take the turn for damage. So everything is read in one transaction that sees nothing
of what comes later, and locks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Let every statement see the database as the first one did. Inside another transaction that one decides."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    else:
        # Django's own transactions are those of writers here, and would make them wait.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
