"""Database reads of objections."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.agreements.models import Objection
from scorekeeper.events.models import Contest, Event

MAX_SETTLED = 100  # shown below those that are open


def list_open_objections(event: Event) -> QuerySet[Objection]:
    """Return the objections that nobody has settled, the oldest first."""
    rows = event.objections.filter(settled_at=None).select_related("contest", "bike__merged_into")
    return rows.order_by("created_at", "pk")


def list_settled_objections(event: Event) -> QuerySet[Objection]:
    """Return the last objections that were settled, the latest first."""
    rows = event.objections.exclude(settled_at=None).select_related("contest", "bike__merged_into")
    return rows.order_by("-settled_at", "pk")[:MAX_SETTLED]


def count_open_objections(event: Event, contest: Contest | None = None) -> int:
    """Return how many objections nobody has settled, in the event or in one of its contests."""
    rows = event.objections.filter(settled_at=None)
    return rows.count() if contest is None else rows.filter(contest=contest).count()


def find_objection(event: Event, objection_id: UUID) -> Objection | None:
    """Return an objection of the event."""
    return event.objections.filter(pk=objection_id).first()
