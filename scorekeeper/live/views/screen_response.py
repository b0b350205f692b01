"""The page of a screen: all of it for a script, which turns the pages; page by page for a browser without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scorekeeper.common.languages import speaking
from scorekeeper.live.selectors.screen import ScreenPresenter
from scorekeeper.standings.reveal import ROWS_PER_PAGE


@dataclass(frozen=True, slots=True)
class ScreenPaging:
    """Which page is shown.

    Attributes:
        page: the page's number, from 1.
        board: the position of the page's contest.
        start, end: the contest's rows that are shown, counted from 0; `end` is excluded.
    """

    page: int
    last: int
    board: int
    start: int
    end: int

    @classmethod
    def from_counts(cls, counts: Sequence[int], requested: str) -> ScreenPaging:
        """Return the requested page, or the first if there is no such page.

        Args:
            counts: how many rows each contest has.
            requested: the page number from the query string.
        """
        pages = [
            (board, start) for board, count in enumerate(counts) for start in range(0, max(count, 1), ROWS_PER_PAGE)
        ]
        number = int(requested) if requested.isdecimal() and len(requested) < 6 else 1
        page = number if 1 <= number <= len(pages) else 1
        board, start = pages[page - 1] if pages else (0, 0)
        return cls(page, max(len(pages), 1), board, start, start + ROWS_PER_PAGE)

    @property
    def next(self) -> int:
        """The number of the next page; the first follows the last."""
        return self.page % self.last + 1


def render_screen(request: HttpRequest, presenter: ScreenPresenter, context: dict[str, Any]) -> HttpResponse:
    """Render what a screen shows: the whole page, or its content for a page that asks for it.

    Args:
        context: `page_url`, where the screen is; `stream_url`; `steers`, whether the buttons of the reveal are on it;
            `check_url`, where a television asks whether it is still paired.
    """
    context = {**presenter.to_context(), "now": timezone.now(), "digest": presenter.get_digest(), **context}
    template = "live/_screen.html"
    if not request.headers.get("HX-Request"):
        template = "live/screen.html"
        counts = [frame.row_count for frame in presenter.frames]
        context["paging"] = ScreenPaging.from_counts(counts, request.GET.get("page", ""))
    with speaking(presenter.language):
        response = render(request, template, context)
    response.headers["Content-Language"] = presenter.language
    return response
