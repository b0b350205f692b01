"""The database guard that makes official revisions append-only, as it does the log."""

from __future__ import annotations

from scorekeeper.ledger.append_only import AppendOnlyGuard

REVISION_GUARD = AppendOnlyGuard(
    "standings_revision",
    "an official revision is never changed or deleted",
    [["id"], ["contest_id", "number"], ["operation_id"]],
)
