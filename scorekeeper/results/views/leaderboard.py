"""The leaderboard. The same view gives the page, and the board alone to a page that refreshes itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scorekeeper.results.addresses import get_public_contest, list_crumbs
from scorekeeper.results.views.refreshing import render_refreshed
from scorekeeper.standings.selectors.shown import get_shown_board


def leaderboard(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Show the leaderboard of a contest."""
    contest = get_public_contest(slug, contest_slug)
    shown = get_shown_board(contest)
    context = {**shown.to_context(), "crumbs": list_crumbs(contest), "now": timezone.now()}
    if request.headers.get("HX-Request"):
        context["drawn"] = shown.told
    return render_refreshed(
        request, "results/leaderboard.html", "standings/_board.html", context, version=shown.get_digest()
    )
