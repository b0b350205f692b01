"""The big screen of an event as pictures for its stream."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event, list_contests
from scorekeeper.live.picture import Part, Picture
from scorekeeper.live.selectors.screen import ScreenBoard, get_shown_screen


class ScreenSource:
    """Takes pictures of a screen."""

    def __init__(self, event: Event) -> None:
        self.subjects = frozenset([event.pk, *list_contests(event).values_list("pk", flat=True)])
        self._slug = event.slug

    def take_picture(self) -> Picture | None:
        """Return the screen as it stands; None when the public may no longer see it."""
        event = get_open_event(self._slug)
        if event is None:
            return None
        shown = get_shown_screen(event)
        context = {**shown.to_context(), "now": timezone.now()}
        screen = shown.screen
        frames = [(board.shown.contest.pk, board.shown.headings, bool(board.shown.rows)) for board in shown.boards]
        return Picture(
            id=shown.get_digest(),
            frame=(event.name, screen.phase, screen.seconds, screen.sponsor, shown.said, shown.step, *frames),
            root="screen",
            parts={name: part for board in shown.boards for name, part in _draw_parts(board).items()},
            draw=lambda: get_template("live/_screen.html").render(context).strip(),
        )


def _draw_parts(board: ScreenBoard) -> dict[str, Part]:
    contest = board.shown.contest
    head = Part(get_template("live/_head.html").render({"board": board}).strip())
    foot = Part(get_template("live/_foot.html").render({"board": board}).strip())
    row = get_template("live/_row.html")
    context = {"contest": contest, "headings": board.shown.headings}
    rows = {
        f"row-{contest.pk}-{shown.row.holder_id}": Part(
            row.render({**context, "shown": shown}).strip(), (f"rows-{contest.pk}", "tbody")
        )
        for shown in board.shown.rows
    }
    return {f"head-{contest.pk}": head, f"foot-{contest.pk}": foot, **rows}


def find_screen(slug: str) -> ScreenSource | None:
    """Return the source for a screen that the public may see, or None."""
    event = get_open_event(slug)
    return None if event is None else ScreenSource(event)
