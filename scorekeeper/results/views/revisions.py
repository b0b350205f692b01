"""A revision of a contest as it was published, and what it changed, for everyone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.audience.visible_standings import list_published_revisions
from scorekeeper.events.selectors import get_freeze
from scorekeeper.players.selectors import get_public_names
from scorekeeper.results.public_lookups import get_public_contest, list_breadcrumbs
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.selectors.revision_history import (
    get_revision_report,
    list_revision_changes,
    list_revision_prizes,
)


def show_revision(request: HttpRequest, slug: str, contest_slug: str, number: int) -> HttpResponse:
    """Show the standings that a revision froze, and what it changed.

    While anything is frozen, go on to the leaderboard, which says so, whether there is such a revision or not.
    """
    contest = get_public_contest(slug, contest_slug)
    if get_freeze(contest.event) is not None:
        return redirect("results:leaderboard", slug, contest_slug)
    revisions = list_published_revisions(contest)
    revision = next((one for one in revisions if one.number == number), None)
    found = None if revision is None else get_revision_report(contest, number)
    if found is None:
        raise Http404
    (board, report), people = found, get_public_names(contest.event, contest)
    context = {
        "event": contest.event,
        "contest": contest,
        "crumbs": list_breadcrumbs(contest, _("Revision %(number)s") % {"number": number}),
        "revision": revision,
        "revisions": revisions,
        "headings": get_standings_headings(contest, board),
        "places": [(row, people.get(row.entrant_id, "")) for row in report.rows],
        "prizes": list_revision_prizes(contest, number, people),
        "changes": list_revision_changes(contest, number, report, people),
    }
    response = render(request, "results/revision.html", context)
    response.headers["Cache-Control"] = "no-cache"  # a freeze withholds it at once
    return response
