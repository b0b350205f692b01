"""Snapshots of a contest's leaderboard for its stream."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.audience.group_presenter import GroupsPresenter
from scorekeeper.audience.leaderboard_presenter import get_leaderboard_presenter
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_open_contest
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart

ROWS_CONTAINER = ("board-rows", "tbody")
GROUPS = "board-groups"  # the id of the element with the groups


class LeaderboardSource:
    """Takes snapshots of a leaderboard."""

    def __init__(self, contest: Contest) -> None:
        self.subjects = frozenset([contest.pk, contest.event_id])  # the event changes when its standings are frozen
        self._slugs = (contest.event.slug, contest.slug)

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the current leaderboard, or None if it is no longer public."""
        contest = get_open_contest(*self._slugs)
        if contest is None:
            return None
        presenter = get_leaderboard_presenter(contest)
        context = {**presenter.to_context(), "rows_html": presenter.stream_rows_html, "now": timezone.now()}
        groups = presenter.groups
        settings = (presenter.headings, presenter.board.turns_per_card, bool(presenter.rows))
        frame = (*settings, presenter.cuts, groups is not None)
        rows = {
            f"row-{row.row.holder_id}": SnapshotPart(html, ROWS_CONTAINER)
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


def find_leaderboard_source(slug: str, contest_slug: str) -> LeaderboardSource | None:
    """Return the source for a leaderboard, or None if it is not public."""
    contest = get_open_contest(slug, contest_slug)
    return None if contest is None else LeaderboardSource(contest)
