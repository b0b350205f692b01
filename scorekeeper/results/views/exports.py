"""Files to take away. The public ones show people as the pages do; the organiser's have full names and the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.addresses import get_public_contest
from scorekeeper.results.exports.data import make_data
from scorekeeper.results.exports.files import PUBLIC_FILES
from scorekeeper.results.exports.log import make_log
from scorekeeper.results.exports.tables import Results, make_cards, make_standings
from scorekeeper.results.exports.writing import stream, write_csv, write_json, write_xlsx
from scorekeeper.standings.selectors.leaderboard import get_report
from scorekeeper.standings.selectors.people import get_public_riders, get_riders

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON = "application/json"


def public(request: HttpRequest, slug: str, contest_slug: str, file: str) -> HttpResponseBase:
    """Send a file of results as everybody may have it."""
    contest = get_public_contest(slug, contest_slug)
    if file not in PUBLIC_FILES:
        raise Http404
    return _send(request, contest, file, get_public_riders(contest.event), with_log=False)


@organiser_required
def organiser(request: OrganiserRequest, event: Event, contest_slug: str, file: str) -> HttpResponse:
    """Send a file of results with everything in it."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    return cast(HttpResponse, _send(request, contest, file, get_riders(event), with_log=True))


def _send(
    request: HttpRequest, contest: Contest, file: str, people: Mapping[UUID, str], *, with_log: bool
) -> HttpResponseBase:
    name = f"{contest.event.slug}-{contest.slug}-{file}"
    if file == "log.csv":
        return stream(request, write_csv(make_log(contest)), CSV, name)
    board, report = get_report(contest)
    results = Results(contest, board, report, people)
    log = make_log(contest) if with_log else None
    match file:
        case "export.csv":
            return stream(request, write_csv(make_standings(results)), CSV, name)
        case "cards.csv":
            return stream(request, write_csv(make_cards(results)), CSV, name)
        case "export.xlsx":
            tables = [make_standings(results), make_cards(results), *([log] if log else [])]
            return stream(request, write_xlsx(tables, results.official), XLSX, name)
        case _:
            return stream(request, write_json(make_data(results, log)), JSON, name)
