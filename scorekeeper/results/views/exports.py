"""Export downloads. Public files name people as the public pages do; the organiser's have full names and the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from scorekeeper.api.contest_results import ContestResults, read_results
from scorekeeper.api.result_data import make_results_data
from scorekeeper.common.downloads import stream_file
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.exports.export_files import GROUPS_FILE, LUCK_FILE, PUBLIC_FILES, STOPS_FILE
from scorekeeper.results.exports.export_tables import (
    ExportTable,
    make_cards_table,
    make_groups_table,
    make_prizes_sheet,
    make_prizes_table,
    make_standings_table,
    mark_practice,
)
from scorekeeper.results.exports.log_table import make_log_table
from scorekeeper.results.exports.luck_export import make_luck_export
from scorekeeper.results.exports.ride_tables import make_places_table, make_stops_table
from scorekeeper.results.exports.workbook import write_workbook
from scorekeeper.results.exports.writers import write_csv, write_json
from scorekeeper.results.public_lookups import get_public_contest

# Of each CSV file. Some contests do not have all of them, and then the maker returns None.
CSV_TABLES: Mapping[str, Callable[[ContestResults], ExportTable | None]] = {
    "export.csv": make_standings_table,
    GROUPS_FILE: make_groups_table,
    "cards.csv": make_cards_table,
    STOPS_FILE: make_stops_table,
    LUCK_FILE: make_luck_export,
    "prizes.csv": make_prizes_table,
}
# Of the workbook, in order; the organiser's also has the log.
SHEETS: Sequence[Callable[[ContestResults], ExportTable | None]] = (
    make_standings_table,
    make_groups_table,
    make_cards_table,
    make_stops_table,
    make_places_table,
    make_luck_export,
    make_prizes_sheet,
)

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
    if file == "export.xlsx":
        made = (make(results) for make in SHEETS)
        tables = [table for table in (*made, log) if table is not None]
        title = f"{_('Practice')} · {results.official_text}" if is_practice else results.official_text
        marked = (_mark(contest, table) for table in tables)
        return stream_file(request, write_workbook(marked, title), XLSX, name)
    table = CSV_TABLES[file](results)
    if table is None:
        raise Http404
    return stream_file(request, write_csv(_mark(contest, table)), CSV, name)


def _make_json(results: ContestResults, log: ExportTable | None) -> dict[str, object]:
    data = make_results_data(results)
    return data if log is None else {**data, "log": [dict(zip(log.headings, row, strict=True)) for row in log.rows]}


def _mark(contest: Contest, table: ExportTable) -> ExportTable:
    return mark_practice(table) if contest.event.is_practice else table
