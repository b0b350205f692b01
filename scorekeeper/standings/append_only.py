"""The database's guard of the revisions, as the log has one."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.scorecards import append_only

TABLE = "standings_revision"
REFUSAL = "an official revision is never changed or deleted"


def guard_statements(vendor: str) -> Sequence[str]:
    """Return the SQL that puts the guard up on a database of this vendor."""
    return append_only.guard_statements(vendor, TABLE, REFUSAL)


def unguard_statements(vendor: str) -> Sequence[str]:
    """Return the SQL that takes the guard down again."""
    return append_only.unguard_statements(vendor, TABLE)
