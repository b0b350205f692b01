"""Turns and actions that were in review: under which id they are on their card since they were accepted.

What is accepted is recorded by the organiser's decision, and has its id, or changes the current turn, and keeps that
one's id. A phone whose entries went to review knows none of this: its corrections and moves name its own operation.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from uuid import UUID

from scorekeeper.ledger.models import Entry, ReviewItem


def map_accepted_turns(operation_ids: Collection[UUID]) -> Mapping[UUID, UUID]:
    """Return the id of the turn or action on its card, by the operation that was in review.

    Args:
        operation_ids: of any operations; those that were never accepted are left out.
    """
    items = ReviewItem.objects.filter(operation_id__in=operation_ids).exclude(settled_by=None)
    accepted = items.exclude(decision=ReviewItem.Decision.KEEP)
    decided_by = dict(accepted.values_list("operation_id", "settled_by_id"))
    amended = {}
    for entry in Entry.objects.filter(operation_id__in=decided_by.values(), kind="amend"):
        amended[entry.operation_id] = UUID(json.loads(entry.body)["data"]["changes"][0]["turn"])
    return {
        operation_id: amended.get(decision_id, decision_id)
        for operation_id, decision_id in decided_by.items()
        if decision_id is not None
    }


def find_current_id(turn_id: UUID, current: Collection[UUID]) -> UUID | None:
    """Return the id under which a turn that an operation names is current; None if it is not."""
    if turn_id not in current:
        turn_id = map_accepted_turns([turn_id]).get(turn_id, turn_id)
    return turn_id if turn_id in current else None
