"""The database's own guard of tables that only grow: it refuses to change, delete or truncate, whoever asks.

The guard is put up by a migration. A restored copy gets it with its tables; `manage.py verify` finds what somebody
with the rights to take it down may have done.
"""

from __future__ import annotations

from collections.abc import Sequence

ENTRIES = "scorecards_entry"
ENTRY_REFUSAL = "an entry of the log is never changed or deleted"


def guard_statements(vendor: str, table: str = ENTRIES, refusal: str = ENTRY_REFUSAL) -> Sequence[str]:
    """Return the SQL that puts the guard up on a table.

    Args:
        vendor: of the database.
        refusal: what the database answers whoever tries.

    Raises:
        KeyError: we know no guard for a database of this vendor, and run on none such.
    """
    return {"sqlite": _sqlite_up, "postgresql": _postgresql_up}[vendor](table, refusal)


def unguard_statements(vendor: str, table: str = ENTRIES) -> Sequence[str]:
    """Return the SQL that takes the guard of a table down again."""
    return {"sqlite": _sqlite_down, "postgresql": _postgresql_down}[vendor](table)


def _sqlite_up(table: str, refusal: str) -> list[str]:
    return [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
        for verb in ("update", "delete")
    ]


def _sqlite_down(table: str) -> list[str]:
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for verb in ("update", "delete")]


def _postgresql_up(table: str, refusal: str) -> list[str]:
    return [
        f"CREATE OR REPLACE FUNCTION {table}_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{refusal}'; END $$",
        f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}",
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_refuse_change()",
        # A TRUNCATE deletes no row by itself, so the trigger above does not see it.
        f"DROP TRIGGER IF EXISTS {table}_no_truncate ON {table}",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse_change()",
    ]


def _postgresql_down(table: str) -> list[str]:
    return [
        f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}",
        f"DROP TRIGGER IF EXISTS {table}_no_truncate ON {table}",
        f"DROP FUNCTION IF EXISTS {table}_refuse_change()",
    ]
