"""Review items: those that need a decision, and those already decided."""

from __future__ import annotations

from scorekeeper.desk.review_presenter import ReviewItemPresenter
from scorekeeper.desk.selectors.review_actions import present_actions
from scorekeeper.desk.selectors.review_turns import present_turns
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.models import ReviewItem


def list_open_items(event: Event) -> list[ReviewItemPresenter]:
    """Return the open review items, oldest first, in a fixed number of statements for each contest."""
    open_items = ReviewItem.objects.filter(contest__event=event, settled_at=None)
    items = list(open_items.select_related("contest", "operation__reason"))
    at_tables = [item for item in items if item.contest.game.recorded_by == "action"]
    at_stops = [item for item in items if item not in at_tables]
    presenters = [*present_turns(event, at_stops), *present_actions(event, at_tables)]
    by_item = {presenter.item.pk: presenter for presenter in presenters}
    return [by_item[item.pk] for item in items]


def list_decided_items(event: Event, limit: int = 50) -> list[tuple[ReviewItem, str]]:
    """Return the items decided last, each with the name of the organiser who decided."""
    decided = ReviewItem.objects.filter(contest__event=event).exclude(settled_at=None)
    items = list(decided.select_related("operation", "settled_by__reason").order_by("-settled_at")[:limit])
    names = list_actor_names(event, [item.settled_by.actor_id for item in items if item.settled_by])
    return [(item, names.get(item.settled_by.actor_id, "") if item.settled_by else "") for item in items]
