"""Review items of contests of both kinds, for the organiser's list and the API."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.events.models import Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.scorecards.card_kinds import list_kinds
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter


def select_review_items(event: Event) -> QuerySet[ReviewItem]:
    """Return the review items of an event, decided ones too, the oldest first, with what presenting them needs."""
    items = ReviewItem.objects.filter(contest__event=event)
    return items.select_related("contest", "operation__reason").order_by("opened_at", "pk")


def present_review_items(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return open items with both sides, in their order, in a fixed number of statements for each contest."""
    presenters: dict[UUID, ReviewItemPresenter] = {}
    for kind in list_kinds():
        own = [item for item in items if kind.covers(item.contest)]
        presenters |= {presenter.item.pk: presenter for presenter in kind.present_review_items(event, own)}
    return [presenters[item.pk] for item in items]
