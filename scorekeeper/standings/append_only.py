"""The database guards that make official revisions, and what is left of deleted events, append-only like the log."""

from __future__ import annotations

from scorekeeper.ledger.append_only import AppendOnlyGuard

REVISION_GUARD = AppendOnlyGuard(
    "standings_revision",
    "an official revision is never changed or deleted",
    [["id"], ["contest_id", "number"], ["operation_id"]],
)
DELETED_EVENT_GUARD = AppendOnlyGuard(
    "events_deletedevent", "what is left of a deleted event is never changed or deleted", [["id"], ["slug"]]
)
