"""The leaderboard. One view returns the whole page, or only the board for a page that refreshes itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.results.public_lookups import get_public_contest, list_breadcrumbs
from scorekeeper.standings.selectors.leaderboard_presenter import get_leaderboard_presenter


def leaderboard(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Show the leaderboard of a contest."""
    contest = get_public_contest(slug, contest_slug)
    presenter = get_leaderboard_presenter(contest)
    context = {**presenter.to_context(), "crumbs": list_breadcrumbs(contest), "now": timezone.now()}
    if request.headers.get("HX-Request"):
        context["rows_html"] = presenter.stream_rows_html
    return render_refreshable(
        request, "results/leaderboard.html", "standings/_board.html", context, version=presenter.get_digest()
    )
