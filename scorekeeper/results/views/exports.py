"""Export downloads. Public files name people as the public pages do; the organiser's have full names and the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from scorekeeper.common.downloads import stream_file
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors.holder_names import get_full_names, get_public_names
from scorekeeper.prizes.selectors.awards import list_audience_awards, list_published_awards
from scorekeeper.results.exports.export_files import GROUPS_FILE, PUBLIC_FILES, STOPS_FILE
from scorekeeper.results.exports.export_tables import (
    ExportSource,
    ExportTable,
    make_cards_table,
    make_groups_table,
    make_prizes_sheet,
    make_prizes_table,
    make_standings_table,
    mark_practice,
)
from scorekeeper.results.exports.json_data import make_json_data
from scorekeeper.results.exports.log_table import make_log_table
from scorekeeper.results.exports.ride_tables import make_places_table, make_stops_table
from scorekeeper.results.exports.workbook import write_workbook
from scorekeeper.results.exports.writers import write_csv, write_json
from scorekeeper.results.public_lookups import get_public_contest
from scorekeeper.standings.selectors.audience import get_audience_view, get_organiser_view
from scorekeeper.standings.selectors.cut_presenter import get_full_witnesses, get_public_witnesses
from scorekeeper.standings.selectors.group_presenter import get_group_names

# Of each CSV file. Some contests do not have all of them, and then the maker returns None.
CSV_TABLES: Mapping[str, Callable[[ExportSource], ExportTable | None]] = {
    "export.csv": make_standings_table,
    GROUPS_FILE: make_groups_table,
    "cards.csv": make_cards_table,
    STOPS_FILE: make_stops_table,
    "prizes.csv": make_prizes_table,
}
# Of the workbook, in order; the organiser's also has the log.
SHEETS: Sequence[Callable[[ExportSource], ExportTable | None]] = (
    make_standings_table,
    make_groups_table,
    make_cards_table,
    make_stops_table,
    make_places_table,
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
    results = _read_results(contest, is_for_organisers=is_for_organisers)
    log = make_log_table(contest) if is_for_organisers else None
    if file == "export.json":
        return stream_file(request, write_json(make_json_data(results, log)), JSON, name)
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


def _read_results(contest: Contest, *, is_for_organisers: bool) -> ExportSource:
    view = get_organiser_view(contest) if is_for_organisers else get_audience_view(contest)
    board, report = view.get_report()
    if is_for_organisers:
        people, witnesses = get_full_names(contest.event), get_full_witnesses(contest, board)
        awards = list_published_awards(contest, people)
    else:
        people, witnesses = get_public_names(contest.event), get_public_witnesses(contest, board)
        awards = list_audience_awards(contest, people)
    return ExportSource(contest, board, report, people, get_group_names(contest.event), witnesses, awards)


def _mark(contest: Contest, table: ExportTable) -> ExportTable:
    return mark_practice(table) if contest.event.is_practice else table
