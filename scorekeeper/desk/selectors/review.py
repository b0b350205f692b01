"""What waits for a decision, and what was decided."""

from __future__ import annotations

from scorekeeper.desk.review_presenter import ReviewItemPresenter
from scorekeeper.desk.selectors.review_actions import present_actions
from scorekeeper.desk.selectors.review_turns import present_turns
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.models import ReviewItem


def list_open_items(event: Event) -> list[ReviewItemPresenter]:
    """Return what waits, the oldest first; a fixed number of statements for each contest."""
    waiting = ReviewItem.objects.filter(contest__event=event, settled_at=None)
    items = list(waiting.select_related("contest", "operation__reason"))
    at_tables = [item for item in items if item.contest.game.recorded_by == "action"]
    at_stops = [item for item in items if item not in at_tables]
    shown = {one.item.pk: one for one in (*present_turns(event, at_stops), *present_actions(event, at_tables))}
    return [shown[item.pk] for item in items]


def list_decided_items(event: Event, most: int = 50) -> list[tuple[ReviewItem, str]]:
    """Return what was settled last, with the name of who settled it."""
    settled = ReviewItem.objects.filter(contest__event=event).exclude(settled_at=None)
    items = list(settled.select_related("operation", "settled_by__reason").order_by("-settled_at")[:most])
    names = list_actor_names(event, [item.settled_by.actor_id for item in items if item.settled_by])
    return [(item, names.get(item.settled_by.actor_id, "") if item.settled_by else "") for item in items]
