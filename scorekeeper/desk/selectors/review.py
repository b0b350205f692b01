"""Review items: those that need a decision, and those already decided."""

from __future__ import annotations

from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.scorecards.card_kinds import list_kinds
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter


def list_open_items(event: Event) -> list[ReviewItemPresenter]:
    """Return the open review items, oldest first, in a fixed number of statements for each contest."""
    open_items = ReviewItem.objects.filter(contest__event=event, settled_at=None)
    items = list(open_items.select_related("contest", "operation__reason"))
    presenters: dict[UUID, ReviewItemPresenter] = {}
    for kind in list_kinds():
        own = [item for item in items if kind.covers(item.contest)]
        presenters |= {presenter.item.pk: presenter for presenter in kind.present_review_items(event, own)}
    return [presenters[item.pk] for item in items]


def list_decided_items(event: Event, limit: int = 50) -> list[tuple[ReviewItem, str]]:
    """Return the items decided last, each with the name of the organiser who decided."""
    decided = ReviewItem.objects.filter(contest__event=event).exclude(settled_at=None)
    items = list(decided.select_related("operation", "settled_by__reason").order_by("-settled_at")[:limit])
    names = list_actor_names(event, [item.settled_by.actor_id for item in items if item.settled_by])
    return [(item, names.get(item.settled_by.actor_id, "") if item.settled_by else "") for item in items]
