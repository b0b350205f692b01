"""The page of an event as pictures for its stream: its contests, and who leads each."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event, list_contests
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart
from scorekeeper.standings.selectors.event_presenter import get_event_presenter


class EventPageSource:
    """Takes pictures of the page of an event."""

    def __init__(self, event: Event) -> None:
        self.subjects = frozenset(list_contests(event).values_list("pk", flat=True))
        self._slug = event.slug

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the contests as they stand; None when the public may no longer see them."""
        event = get_open_event(self._slug)
        if event is None:
            return None
        shown = get_event_presenter(event)
        # A contest that was added since is watched like the others from now on.
        self.subjects = frozenset(shown.contests_html)
        context = {**shown.to_context(), "now": timezone.now()}
        return PageSnapshot(
            id=shown.get_digest(),
            frame=(event.name, event.date, *shown.contests_html),
            root="event",
            parts={f"contest-{contest}": SnapshotPart(drawn) for contest, drawn in shown.contests_html.items()},
            render=lambda: get_template("standings/_event.html").render(context).strip(),
        )


def find_event_page_source(slug: str) -> EventPageSource | None:
    """Return the source for the page of an event that the public may see, or None."""
    event = get_open_event(slug)
    return None if event is None else EventPageSource(event)
