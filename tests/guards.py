"""Removes and installs the database's append-only guards, and empties its tables."""

from __future__ import annotations

from django.db import connection, transaction

from scorekeeper.ledger.append_only import GUARDS, build_guard_sql, build_unguard_sql
from scorekeeper.standings.append_only import DELETED_EVENT_GUARD, REVISION_GUARD

ALL = (*GUARDS, REVISION_GUARD, DELETED_EVENT_GUARD)
MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission"}


def install_guards() -> None:
    """Install all guards, as the migrations do."""
    _run([statement for guard in ALL for statement in build_guard_sql(connection.vendor, guard)])


def remove_guards() -> None:
    """Remove all guards, as a database user with all rights can."""
    _run([statement for guard in ALL for statement in build_unguard_sql(connection.vendor, guard)])


def _run(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def empty_tables() -> None:
    """Delete all rows, except those of content types and permissions, which the migrations made and no test changes.

    Django's own way empties all tables, and makes those rows anew.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True, include_views=False):
            if table in MADE_BY_MIGRATIONS:
                continue
            cursor.execute(f'SELECT EXISTS (SELECT 1 FROM "{table}")')
            if cursor.fetchone() == (1,):
                cursor.execute(f'DELETE FROM "{table}"')
