"""Consistent reads of many tables while others write.

Someone may record a turn between two statements. A phone would then get a chain without its last entry and could append
to it twice, and verification would mistake the turn for damage. So everything is read in one transaction, which sees
nothing of what is written later and locks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Let every statement see the database as the first one did. Inside another transaction, that one's rules apply."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    else:
        # Django's own transactions begin as writers' on SQLite, and would make other writers wait.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
