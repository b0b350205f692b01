"""Snapshots of an event's page for its stream: its contests, and who leads each."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.audience.event_presenter import get_event_presenter
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event, list_contests
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart


class EventPageSource:
    """Takes snapshots of an event's page."""

    def __init__(self, event: Event) -> None:
        self.subjects = frozenset([event.pk, *list_contests(event).values_list("pk", flat=True)])
        self._slug = event.slug

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the contests with their current standings, or None if the event is no longer public."""
        event = get_open_event(self._slug)
        if event is None:
            return None
        presenter = get_event_presenter(event)
        # From now on, watch contests that were added since.
        self.subjects = frozenset([event.pk, *presenter.contests_html])
        context = {**presenter.to_context(), "now": timezone.now()}
        return PageSnapshot(
            id=presenter.get_digest(),
            frame=(event.name, event.date, presenter.freeze_notice, *presenter.contests_html),
            root="event",
            parts={f"contest-{contest}": SnapshotPart(html) for contest, html in presenter.contests_html.items()},
            render=lambda: get_template("standings/_event.html").render(context).strip(),
        )


def find_event_page_source(slug: str) -> EventPageSource | None:
    """Return the source for the page of an event, or None if the event is not public."""
    event = get_open_event(slug)
    return None if event is None else EventPageSource(event)
