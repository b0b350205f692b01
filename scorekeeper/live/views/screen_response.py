"""The page of a screen: all of it for a script, which turns the pages; page by page for a browser without scripts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scorekeeper.live.paging import ScreenPaging
from scorekeeper.live.selectors.screen import ScreenPresenter


def render_screen(request: HttpRequest, presenter: ScreenPresenter, context: dict[str, Any]) -> HttpResponse:
    """Render what a screen shows: the whole page, or its content for a page that asks for it.

    Args:
        context: `page_url`, where the screen is; `stream_url`; `steers`, whether the buttons of the reveal are on it;
            `check_url`, where a television asks whether it is still paired.
    """
    context = {**presenter.to_context(), "now": timezone.now(), "digest": presenter.get_digest(), **context}
    if request.headers.get("HX-Request"):
        return render(request, "live/_screen.html", context)
    counts = [frame.row_count for frame in presenter.frames]
    context["paging"] = ScreenPaging.from_counts(counts, request.GET.get("page", ""))
    return render(request, "live/screen.html", context)
