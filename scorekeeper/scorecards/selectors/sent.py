"""What of that which is sent is here already."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from scorekeeper.scorecards.models import Operation


def list_known(operation_ids: Iterable[UUID]) -> frozenset[UUID]:
    """Return those of the ids under which an operation was taken in; one statement."""
    return frozenset(Operation.objects.filter(pk__in=set(operation_ids)).values_list("pk", flat=True))
