"""The database's own guard of tables that only grow: it refuses to change, delete, replace or truncate, whoever asks.

Guards are put up by migrations. A restored copy gets them with its tables; `manage.py verify` finds what somebody with
the rights to take them down may have done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


class AppendOnlyGuard(NamedTuple):
    """What is refused of a table.

    Attributes:
        table: its name in the database.
        refusal: the error message of the database.
        keys: the columns of each of its unique keys. On SQLite, a row that is inserted "or replace" takes the place of
            every row with an equal key, and no trigger on deletion fires.
        verbs: of UPDATE and DELETE.
    """

    table: str
    error_message: str
    unique_keys: Sequence[Sequence[str]]
    verbs: Sequence[str] = ("update", "delete")


ENTRY_GUARD = AppendOnlyGuard(
    "scorecards_entry", "an entry of the log is never changed or deleted", [["id"], ["chain_id", "seq"]]
)
# Who is erased has names taken out of the bodies of operations, so these may be updated.
OPERATION_GUARD = AppendOnlyGuard(
    "scorecards_operation", "an operation is never deleted or replaced", [["id"]], ["delete"]
)
GUARDS = (ENTRY_GUARD, OPERATION_GUARD)


def build_guard_sql(vendor: str, guard: AppendOnlyGuard) -> Sequence[str]:
    """Return the SQL that puts a guard up; one that is up is put up anew.

    Args:
        vendor: of the database.

    Raises:
        KeyError: we know no guard for a database of this vendor, and run on none such.
    """
    return [
        *build_unguard_sql(vendor, guard),
        *{"sqlite": _build_sqlite_guard, "postgresql": _build_postgresql_guard}[vendor](guard),
    ]


def build_unguard_sql(vendor: str, guard: AppendOnlyGuard) -> Sequence[str]:
    """Return the SQL that takes a guard down again."""
    return {"sqlite": _build_sqlite_unguard, "postgresql": _build_postgresql_unguard}[vendor](guard.table)


def guard_tables(*guards: AppendOnlyGuard, takes_down: bool = True) -> RunPython:
    """Return the migration step that puts guards up, and takes them down when it is reversed.

    Args:
        takes_down: False where an earlier step has put them up already, so that reversing this one leaves them.
    """

    def put_up(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for guard in guards:
            for statement in build_guard_sql(editor.connection.vendor, guard):
                editor.execute(statement)

    def take_down(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for guard in guards:
            for statement in build_unguard_sql(editor.connection.vendor, guard):
                editor.execute(statement)

    return RunPython(put_up, take_down if takes_down else RunPython.noop)


def _build_sqlite_guard(guard: AppendOnlyGuard) -> list[str]:
    table, refuse = guard.table, f"BEGIN SELECT RAISE(ABORT, '{guard.error_message}'); END"
    is_taken = " OR ".join(
        "(" + " AND ".join(f"{name} = NEW.{name}" for name in key) + ")" for key in guard.unique_keys
    )
    find_equal = f"SELECT 1 FROM {table} WHERE {is_taken}"  # noqa: S608 - made of our own names alone
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
        # A TRUNCATE deletes no row by itself, so the trigger above does not see it.
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse_change()",
        # Also for a session that says it only replays what another server has checked.
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_append_only",
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_no_truncate",
    ]


def _build_postgresql_unguard(table: str) -> list[str]:
    return [
        f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}",
        f"DROP TRIGGER IF EXISTS {table}_no_truncate ON {table}",
        f"DROP FUNCTION IF EXISTS {table}_refuse_change()",
    ]
