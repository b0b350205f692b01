"""A revision of a contest as it was published, and what it changed, for organisers."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors import get_full_names
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.selectors.revision_history import (
    get_revision_report,
    list_revision_changes,
    list_revision_history,
    list_revision_prizes,
)


@organiser_required
def show_revision(request: OrganiserRequest, event: Event, contest_slug: str, number: int) -> HttpResponse:
    """Show the standings that a revision froze, and what it changed."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    found = get_revision_report(contest, number)
    if found is None:
        raise Http404
    (board, report), people, revisions = found, get_full_names(event, contest), list_revision_history(contest)
    context = {
        "event": event,
        "contest": contest,
        "revision": next(one for one in revisions if one.number == number),
        "revisions": revisions,
        "headings": get_standings_headings(contest, board),
        "places": [(row, people.get(row.entrant_id, "")) for row in report.rows],
        "prizes": list_revision_prizes(contest, number, people),
        "changes": list_revision_changes(contest, number, report, people),
    }
    return render(request, "standings/revision.html", context)
