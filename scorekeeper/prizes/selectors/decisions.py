"""What the organiser decided about prizes, read from the chains of contests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from uuid import UUID

from scorekeeper.ledger.models import Entry, OperationReason
from scorekeeper.prizes.award import Decision

ENTRY_KIND = "award"  # stored in the log


def list_decisions(contest_id: UUID, length: int | None = None) -> Mapping[UUID, Decision]:
    """Return the last decision about each prize, by the prize's id.

    Args:
        length: read the contest's chain only up to this entry.
    """
    entries = Entry.objects.filter(chain_id=contest_id, kind=ENTRY_KIND).order_by("seq")
    if length is not None:
        entries = entries.filter(seq__lte=length)
    decisions: dict[UUID, Decision] = {}
    for entry in entries:
        data = json.loads(entry.body)["data"]
        tied, winners = (tuple(UUID(entrant) for entrant in data[key]) for key in ("tied", "winners"))
        decisions[UUID(data["prize"])] = Decision(frozenset(tied), winners, entry.operation_id)
    return decisions


def get_decision_reasons(event_id: UUID) -> Mapping[UUID, str]:
    """Return the reasons for the decisions about an event's prizes, by operation. An erased reason is left out."""
    reasons = OperationReason.objects.filter(operation__event_id=event_id, operation__kind=ENTRY_KIND)
    return dict(reasons.values_list("operation_id", "text"))
