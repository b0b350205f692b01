"""What each stream sends: an event's page, a leaderboard, the screens, and the phones of a ride.

Phones learn that something has changed, but not what, and fetch that themselves. Their stream is for the phones of the
ride's crew and its organisers: while the standings are frozen, nobody else may learn that something was recorded.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

from django.template.loader import get_template
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.draw_presenter import DrawPresenter
from scorekeeper.audience.event_presenter import get_event_presenter
from scorekeeper.audience.group_presenter import GroupsPresenter
from scorekeeper.audience.leaderboard_presenter import (
    LeaderboardPresenter,
    get_class_board_presenter,
    get_leaderboard_presenter,
)
from scorekeeper.common.languages import speaking
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_contest, get_open_event, list_contests
from scorekeeper.live.models import Screen
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart
from scorekeeper.live.selectors.screen import (
    ScreenPresenter,
    get_paired_screen,
    get_screen,
    get_screen_presenter,
)
from scorekeeper.live.selectors.screen_frames import ScreenBoard, ScreenFrame, ScreenPanel
from scorekeeper.live.selectors.versions import get_ride_version

ROWS_CONTAINER = ("board-rows", "tbody")
GROUPS = "board-groups"  # the id of the element with the groups
VERSION_LENGTH = 16  # characters
MESSAGES = "screen-messages"  # the id of the element with the organiser's messages
UNPAIRED = "unpaired"


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


class LeaderboardSource:
    """Takes snapshots of a leaderboard, or of the board of one of its classes."""

    def __init__(self, contest: Contest, class_id: UUID | None = None) -> None:
        self._class_id = class_id
        self.subjects = frozenset([contest.pk, contest.event_id])  # the event changes when its standings are frozen
        self._slugs = (contest.event.slug, contest.slug)

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the current leaderboard, or None if it is no longer public."""
        contest = get_open_contest(*self._slugs)
        if contest is None:
            return None
        presenter = _find_presenter(contest, self._class_id)
        if presenter is None:
            return None
        context = {**presenter.to_context(), "rows_html": presenter.stream_rows_html, "now": timezone.now()}
        groups = presenter.groups
        settings = (presenter.headings, presenter.board.turns_per_card, bool(presenter.rows))
        frame = (*settings, presenter.cuts, groups is not None, presenter.classes)
        rows = {
            f"row-{row.row.entrant_id}": SnapshotPart(html, ROWS_CONTAINER)
            for row, html in zip(presenter.rows, presenter.stream_rows_html, strict=True)
        }
        head = SnapshotPart(get_template("standings/_head.html").render(context).strip())
        return PageSnapshot(
            id=presenter.get_digest(),
            frame=frame,
            root="board",
            parts={"board-head": head, **_render_groups(groups), **rows},
            render=lambda: get_template("standings/_board.html").render(context).strip(),
        )


def _render_groups(groups: GroupsPresenter | None) -> dict[str, SnapshotPart]:
    if groups is None:
        return {}
    return {GROUPS: SnapshotPart(get_template("standings/_groups.html").render({"groups": groups}).strip())}


def _find_presenter(contest: Contest, class_id: UUID | None) -> LeaderboardPresenter | None:
    if class_id is None:
        return get_leaderboard_presenter(contest)
    return get_class_board_presenter(contest, class_id)


def find_class_board_source(slug: str, contest_slug: str, class_id: UUID) -> LeaderboardSource | None:
    """Return the source for the board of a class, or None if it is not public."""
    contest = get_open_contest(slug, contest_slug)
    is_there = contest is not None and get_class_board_presenter(contest, class_id) is not None
    return LeaderboardSource(contest, class_id) if contest is not None and is_there else None


def find_leaderboard_source(slug: str, contest_slug: str) -> LeaderboardSource | None:
    """Return the source for a leaderboard, or None if it is not public."""
    contest = get_open_contest(slug, contest_slug)
    return None if contest is None else LeaderboardSource(contest)


class RideSource:
    """Takes snapshots of a ride that contain nothing but its version."""

    def __init__(self, event: Event) -> None:
        self._event_id = event.pk
        self._contests = frozenset(list_contests(event).values_list("pk", flat=True))

    @property
    def subjects(self) -> frozenset[UUID]:
        """The contests, and the event, which changes when a message is sent."""
        return self._contests | {self._event_id}

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the ride's current version, or None if there is no such ride."""
        event = Event.objects.filter(pk=self._event_id).first()
        if event is None:
            return None
        # From now on, watch contests that were added since.
        self._contests = frozenset(list_contests(event).values_list("pk", flat=True))
        version = hashlib.sha256(repr(get_ride_version(event, self._contests)).encode()).hexdigest()[:VERSION_LENGTH]
        return PageSnapshot(id=version, frame=version, root="ride", parts={}, render=lambda: version)


def find_ride_source(event_id: UUID) -> RideSource | None:
    """Return the source for a ride, or None if there is no such ride."""
    event = Event.objects.filter(pk=event_id).first()
    return None if event is None else RideSource(event)


class ScreenSource:
    """Takes snapshots of the public screen of an event."""

    def __init__(self, event: Event) -> None:
        self.subjects = _list_subjects(event)
        self._slug = event.slug

    def take_snapshot(self) -> PageSnapshot | None:
        """Return what the screen shows now, or None if the event is no longer public."""
        event = get_open_event(self._slug)
        if event is None:
            return None
        return _make_snapshot(get_screen_presenter(get_screen(event)), reverse("live:screen", args=[event.slug]))


class PairedScreenSource:
    """Takes snapshots of a paired screen. Once it is not paired any more, they make the television look for a code."""

    def __init__(self, screen: Screen) -> None:
        self._screen_id = screen.pk
        self.subjects = _list_subjects(screen.event) | {screen.pk}

    def take_snapshot(self) -> PageSnapshot:
        """Return what the screen shows now."""
        screen = get_paired_screen(self._screen_id)
        if screen is None:
            return _make_unpaired_snapshot()
        # From now on, watch contests that were added since.
        self.subjects = _list_subjects(screen.event) | {screen.pk}
        return _make_snapshot(get_screen_presenter(screen), reverse("live:television"))


def _list_subjects(event: Event) -> frozenset[UUID]:
    return frozenset([event.pk, *list_contests(event).values_list("pk", flat=True)])


def _make_snapshot(presenter: ScreenPresenter, page_url: str) -> PageSnapshot:
    with speaking(presenter.language):
        return _render_snapshot(presenter, page_url)


def _render_snapshot(presenter: ScreenPresenter, page_url: str) -> PageSnapshot:
    context = {**presenter.to_context(), "page_url": page_url, "now": timezone.now()}
    screen = presenter.screen

    def render() -> str:
        with speaking(presenter.language):
            return get_template("live/_screen.html").render(context).strip()

    event = presenter.event
    look = (presenter.language, screen.seconds, screen.theme, screen.sponsor, presenter.is_for_messages, event.is_open)
    settings = (event.name, presenter.phase, *look, presenter.status_text, presenter.step)
    return PageSnapshot(
        id=presenter.get_digest(),
        frame=(*settings, *map(_get_frame_key, presenter.frames)),
        root="screen",
        parts={
            MESSAGES: _render_messages(presenter),
            **{name: part for frame in presenter.frames for name, part in _render_parts(frame).items()},
        },
        render=render,
    )


def _make_unpaired_snapshot() -> PageSnapshot:
    return PageSnapshot(
        id=UNPAIRED,
        frame=UNPAIRED,
        root="screen",
        parts={},
        render=lambda: get_template("live/_unpaired.html").render().strip(),
    )


def _get_frame_key(frame: ScreenFrame) -> object:
    """Return what decides what is around the parts of a frame."""
    if isinstance(frame, ScreenPanel | DrawPresenter):
        return frame.id
    assert isinstance(frame, ScreenBoard), "there are no other frames"
    board = frame.leaderboard
    return board.key, board.headings, frame.row_count > 0, frame.groups is not None


def _render_messages(presenter: ScreenPresenter) -> SnapshotPart:
    context = {"messages_to_all": presenter.messages, "is_for_messages": presenter.is_for_messages}
    return SnapshotPart(get_template("live/_messages.html").render(context).strip())


def _render_parts(frame: ScreenFrame) -> dict[str, SnapshotPart]:
    if isinstance(frame, ScreenBoard):
        return _render_board(frame)
    assert isinstance(frame, ScreenPanel | DrawPresenter), "there are no other frames"
    return {frame.id: SnapshotPart(get_template(frame.template).render({"frame": frame}).strip())}


def _render_board(board: ScreenBoard) -> dict[str, SnapshotPart]:
    contest, key = board.leaderboard.contest, board.leaderboard.key
    if board.groups is not None:
        html = get_template("live/_groups.html").render({"frame": board})
        return {f"groups-{contest.pk}": SnapshotPart(html.strip())}
    head = SnapshotPart(get_template("live/_head.html").render({"frame": board}).strip())
    foot = SnapshotPart(get_template("live/_foot.html").render({"frame": board}).strip())
    row = get_template("live/_row.html")
    context = {"key": key, "headings": board.leaderboard.headings}
    rows = {
        f"row-{key}-{presented.row.entrant_id}": SnapshotPart(
            row.render({**context, "shown": presented}).strip(), (f"rows-{key}", "tbody")
        )
        for presented in board.leaderboard.rows
    }
    return {f"head-{key}": head, f"foot-{key}": foot, **rows}


def find_screen_source(slug: str) -> ScreenSource | None:
    """Return the source for an event's public screen, or None if the event is not public."""
    event = get_open_event(slug)
    return None if event is None else ScreenSource(event)


def find_paired_screen_source(screen_id: UUID) -> PairedScreenSource | None:
    """Return the source for a paired screen, by its id, which only its television and its organisers know."""
    screen = get_paired_screen(screen_id)
    return None if screen is None else PairedScreenSource(screen)
