"""Export downloads. Public files name people as the public pages do; the organiser's have full names and the log."""

from __future__ import annotations

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from scorekeeper.api.contest_results import ContestResults, read_results
from scorekeeper.api.result_data import make_results_data
from scorekeeper.common.downloads import stream_file
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.exports.export_files import GROUPS_FILE, PUBLIC_FILES
from scorekeeper.results.exports.export_tables import (
    ExportTable,
    make_cards_table,
    make_groups_table,
    make_prizes_table,
    make_standings_table,
    mark_practice,
)
from scorekeeper.results.exports.log_table import make_log_table
from scorekeeper.results.exports.writers import write_csv, write_json, write_xlsx
from scorekeeper.results.public_lookups import get_public_contest

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON = "application/json"


def public_export(request: HttpRequest, slug: str, contest_slug: str, file: str) -> HttpResponseBase:
    """Send a public results file."""
    contest = get_public_contest(slug, contest_slug)
    if file not in PUBLIC_FILES:
        raise Http404
    return _send(request, contest, file, is_for_organisers=False)


@organiser_required
def organiser_export(request: OrganiserRequest, event: Event, contest_slug: str, file: str) -> HttpResponse:
    """Send a results file with full names and the log."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    return cast(HttpResponse, _send(request, contest, file, is_for_organisers=True))


def _send(request: HttpRequest, contest: Contest, file: str, *, is_for_organisers: bool) -> HttpResponseBase:
    is_practice = contest.event.is_practice
    name = f"{'practice-' if is_practice else ''}{contest.event.slug}-{contest.slug}-{file}"
    if file == "log.csv":
        return stream_file(request, write_csv(_mark(contest, make_log_table(contest))), CSV, name)
    results = read_results(contest, is_for_organisers=is_for_organisers)
    log = make_log_table(contest) if is_for_organisers else None
    if file == "export.json":
        return stream_file(request, write_json(_make_json(results, log)), JSON, name)
    standings, cards, prizes = (
        _mark(contest, make(results)) for make in (make_standings_table, make_cards_table, make_prizes_table)
    )
    groups = None if results.board.groups is None else _mark(contest, make_groups_table(results, results.board.groups))
    if file == GROUPS_FILE:
        if groups is None:
            raise Http404
        return stream_file(request, write_csv(groups), CSV, name)
    match file:
        case "export.csv":
            return stream_file(request, write_csv(standings), CSV, name)
        case "cards.csv":
            return stream_file(request, write_csv(cards), CSV, name)
        case "prizes.csv":
            return stream_file(request, write_csv(prizes), CSV, name)
        case _:
            tables = [
                standings,
                *([groups] if groups else []),
                cards,
                *([prizes] if results.awards else []),
                *([_mark(contest, log)] if log else []),
            ]
            title = f"{_('Practice')} · {results.official_text}" if is_practice else results.official_text
            return stream_file(request, write_xlsx(tables, title), XLSX, name)


def _make_json(results: ContestResults, log: ExportTable | None) -> dict[str, object]:
    data = make_results_data(results)
    return data if log is None else {**data, "log": [dict(zip(log.headings, row, strict=True)) for row in log.rows]}


def _mark(contest: Contest, table: ExportTable) -> ExportTable:
    return mark_practice(table) if contest.event.is_practice else table
