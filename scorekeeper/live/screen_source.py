"""Snapshots of an event's big screen for its stream."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event, list_contests
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart
from scorekeeper.live.selectors.screen import ScreenBoard, ScreenPresenter, get_screen_presenter

MESSAGES = "screen-messages"  # the id of the element with the organiser's messages


class ScreenSource:
    """Takes snapshots of a big screen."""

    def __init__(self, event: Event) -> None:
        self.subjects = frozenset([event.pk, *list_contests(event).values_list("pk", flat=True)])
        self._slug = event.slug

    def take_snapshot(self) -> PageSnapshot | None:
        """Return what the screen shows now, or None if the event is no longer public."""
        event = get_open_event(self._slug)
        if event is None:
            return None
        presenter = get_screen_presenter(event)
        context = {**presenter.to_context(), "now": timezone.now()}
        screen = presenter.screen
        settings = (event.name, presenter.phase, screen.seconds, screen.sponsor, presenter.status_text, presenter.step)
        frames = [
            (board.leaderboard.contest.pk, board.leaderboard.headings, board.row_count > 0, board.groups is not None)
            for board in presenter.boards
        ]
        return PageSnapshot(
            id=presenter.get_digest(),
            frame=(*settings, *(draw.id for draw in presenter.draws), *frames),
            root="screen",
            parts={MESSAGES: _render_messages(presenter), **_render_draws(presenter), **_render_boards(presenter)},
            render=lambda: get_template("live/_screen.html").render(context).strip(),
        )


def _render_messages(presenter: ScreenPresenter) -> SnapshotPart:
    context = {"messages_to_all": presenter.messages}
    return SnapshotPart(get_template("live/_messages.html").render(context).strip())


def _render_draws(presenter: ScreenPresenter) -> dict[str, SnapshotPart]:
    template = get_template("live/_draw.html")
    return {draw.id: SnapshotPart(template.render({"draw": draw}).strip()) for draw in presenter.draws}


def _render_boards(presenter: ScreenPresenter) -> dict[str, SnapshotPart]:
    return {name: part for board in presenter.boards for name, part in _render_parts(board).items()}


def _render_parts(board: ScreenBoard) -> dict[str, SnapshotPart]:
    contest = board.leaderboard.contest
    if board.groups is not None:
        html = get_template("live/_groups.html").render({"board": board})
        return {f"groups-{contest.pk}": SnapshotPart(html.strip())}
    head = SnapshotPart(get_template("live/_head.html").render({"board": board}).strip())
    foot = SnapshotPart(get_template("live/_foot.html").render({"board": board}).strip())
    row = get_template("live/_row.html")
    context = {"contest": contest, "headings": board.leaderboard.headings}
    rows = {
        f"row-{contest.pk}-{presented.row.holder_id}": SnapshotPart(
            row.render({**context, "shown": presented}).strip(), (f"rows-{contest.pk}", "tbody")
        )
        for presented in board.leaderboard.rows
    }
    return {f"head-{contest.pk}": head, f"foot-{contest.pk}": foot, **rows}


def find_screen_source(slug: str) -> ScreenSource | None:
    """Return the source for an event's screen, or None if the event is not public."""
    event = get_open_event(slug)
    return None if event is None else ScreenSource(event)
