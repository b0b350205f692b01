"""Database triggers for append-only tables: they refuse updates, deletes, replaces and truncates from any client.

Migrations install them. A restored backup gets them along with its tables. `manage.py verify` finds changes made by
someone with the rights to remove the triggers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


class AppendOnlyGuard(NamedTuple):
    """The statements that are refused on a table.

    Attributes:
        table: the table's name in the database.
        error_message: the error the database raises.
        unique_keys: the columns of each unique key. On SQLite, INSERT OR REPLACE replaces every row with an equal key
            without firing a delete trigger.
        verbs: the refused statements, out of UPDATE and DELETE.
    """

    table: str
    error_message: str
    unique_keys: Sequence[Sequence[str]]
    verbs: Sequence[str] = ("update", "delete")


ENTRY_GUARD = AppendOnlyGuard(
    "scorecards_entry", "an entry of the log is never changed or deleted", [["id"], ["chain_id", "seq"]]
)
# Erasing a person recomputes the digests of their operations, so updates are allowed.
OPERATION_GUARD = AppendOnlyGuard(
    "scorecards_operation", "an operation is never deleted or replaced", [["id"]], ["delete"]
)
GUARDS = (ENTRY_GUARD, OPERATION_GUARD)


def build_guard_sql(vendor: str, guard: AppendOnlyGuard) -> Sequence[str]:
    """Return the SQL that installs a guard, or installs it again if it is already there.

    Args:
        vendor: the database vendor, as in `connection.vendor`.

    Raises:
        KeyError: there is no guard for this vendor. Tailgunner does not support such databases.
    """
    return [
        *build_unguard_sql(vendor, guard),
        *{"sqlite": _build_sqlite_guard, "postgresql": _build_postgresql_guard}[vendor](guard),
    ]


def build_unguard_sql(vendor: str, guard: AppendOnlyGuard) -> Sequence[str]:
    """Return the SQL that removes a guard."""
    return {"sqlite": _build_sqlite_unguard, "postgresql": _build_postgresql_unguard}[vendor](guard.table)


def guard_tables(*guards: AppendOnlyGuard, takes_down: bool = True) -> RunPython:
    """Return the migration operation that installs guards, and removes them when it is reversed.

    Args:
        takes_down: False if an earlier migration already installed them, so that reversing this one leaves them.
    """

    def install(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for guard in guards:
            for statement in build_guard_sql(editor.connection.vendor, guard):
                editor.execute(statement)

    def remove(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for guard in guards:
            for statement in build_unguard_sql(editor.connection.vendor, guard):
                editor.execute(statement)

    return RunPython(install, remove if takes_down else RunPython.noop)


def _build_sqlite_guard(guard: AppendOnlyGuard) -> list[str]:
    table, refuse = guard.table, f"BEGIN SELECT RAISE(ABORT, '{guard.error_message}'); END"
    is_taken = " OR ".join(
        "(" + " AND ".join(f"{name} = NEW.{name}" for name in key) + ")" for key in guard.unique_keys
    )
    find_equal = f"SELECT 1 FROM {table} WHERE {is_taken}"  # noqa: S608 - built only from our own names
    return [
        *(f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} {refuse}" for verb in guard.verbs),
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN EXISTS ({find_equal}) {refuse}",
    ]


def _build_sqlite_unguard(table: str) -> list[str]:
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for verb in ("update", "delete", "replace")]


def _build_postgresql_guard(guard: AppendOnlyGuard) -> list[str]:
    table = guard.table
    return [
        f"CREATE OR REPLACE FUNCTION {table}_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{guard.error_message}'; END $$",
        f"CREATE TRIGGER {table}_append_only BEFORE {' OR '.join(guard.verbs)} ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_refuse_change()",
        # TRUNCATE does not fire row triggers, so it needs a statement trigger.
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse_change()",
        # ALWAYS, so that the triggers also fire for sessions in replication mode.
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_append_only",
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_no_truncate",
    ]


def _build_postgresql_unguard(table: str) -> list[str]:
    return [
        f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}",
        f"DROP TRIGGER IF EXISTS {table}_no_truncate ON {table}",
        f"DROP FUNCTION IF EXISTS {table}_refuse_change()",
    ]
