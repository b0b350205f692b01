"""The leaderboard of one contest as pictures for its stream."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import timezone

from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_open_contest
from scorekeeper.live.picture import Part, Picture
from scorekeeper.standings.selectors.shown import get_shown_board

ROWS = ("board-rows", "tbody")


class BoardSource:
    """Takes pictures of a leaderboard."""

    def __init__(self, contest: Contest) -> None:
        self.subjects = frozenset([contest.pk])
        self._address = (contest.event.slug, contest.slug)

    def take_picture(self) -> Picture | None:
        """Return the leaderboard as it stands; None when the public may no longer see it."""
        contest = get_open_contest(*self._address)
        if contest is None:
            return None
        shown = get_shown_board(contest)
        context = {**shown.to_context(), "drawn": shown.told, "now": timezone.now()}
        frame = (shown.headings, shown.board.turns, bool(shown.rows))
        rows = {
            f"row-{row.row.holder_id}": Part(drawn, ROWS) for row, drawn in zip(shown.rows, shown.told, strict=True)
        }
        head = Part(get_template("standings/_head.html").render(context).strip())
        return Picture(
            id=shown.get_digest(),
            frame=frame,
            root="board",
            parts={"board-head": head, **rows},
            draw=lambda: get_template("standings/_board.html").render(context).strip(),
        )


def find_board(slug: str, contest_slug: str) -> BoardSource | None:
    """Return the source for a leaderboard that the public may see, or None."""
    contest = get_open_contest(slug, contest_slug)
    return None if contest is None else BoardSource(contest)
