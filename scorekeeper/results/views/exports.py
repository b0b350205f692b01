"""Export downloads. Public files name people as the public pages do; the organiser's have full names and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scorekeeper.api.contest_results import ContestResults, narrow_to_class, read_results
from scorekeeper.api.serializers.results import ResultsSerializer
from scorekeeper.audience.luck import get_waiting_period
from scorekeeper.audience.versions import get_audience_version
from scorekeeper.common.downloads import stream_file
from scorekeeper.common.languages import in_english
from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.exports.export_sheets import (
    ExportSheet,
    make_cards_table,
    make_groups_table,
    make_prizes_sheet,
    make_prizes_table,
    make_standings_sheet,
    make_standings_table,
    mark_class,
    mark_practice,
)
from scorekeeper.results.exports.ride_sheets import (
    make_log_table,
    make_luck_export,
    make_places_table,
    make_stops_table,
)
from scorekeeper.results.exports.workbook import write_workbook
from scorekeeper.results.exports.writers import (
    GROUPS_FILE,
    LUCK_FILE,
    PUBLIC_FILES,
    STANDINGS_FILE,
    STOPS_FILE,
    split_semicolons,
    write_csv,
    write_json,
)
from scorekeeper.results.public_lookups import get_public_contest

# Of each CSV file. Some contests do not have all of them, and then the maker returns None.
CSV_TABLES: Mapping[str, Callable[[ContestResults], ExportSheet | None]] = {
    STANDINGS_FILE: make_standings_table,
    GROUPS_FILE: make_groups_table,
    "cards.csv": make_cards_table,
    STOPS_FILE: make_stops_table,
    LUCK_FILE: make_luck_export,
    "prizes.csv": make_prizes_table,
}
# Of the workbook, in order; the organiser's also has the log.
SHEETS: Sequence[Callable[[ContestResults], ExportSheet | None]] = (
    make_standings_sheet,
    make_groups_table,
    make_cards_table,
    make_stops_table,
    make_places_table,
    make_luck_export,
    make_prizes_sheet,
)

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
JSON_FILE = "export.json"
WITH_LUCK = {LUCK_FILE, "export.xlsx", "export.json"}


@limit_public_reads
def public_export(request: HttpRequest, slug: str, contest_slug: str, file: str) -> HttpResponseBase:
    """Send a public results file. `?class=` is for the standings of a class instead of the whole contest's."""
    contest = get_public_contest(slug, contest_slug)
    if file not in PUBLIC_FILES:
        raise Http404

    def make() -> tuple[str, Iterable[bytes]]:
        return _name_and_make(request, contest, file, is_for_organisers=False)

    has_language = file != JSON_FILE
    return send_public_file(request, _get_version(contest, file), make, _get_type(file), has_language=has_language)


@organiser_required
def organiser_export(request: OrganiserRequest, event: Event, contest_slug: str, file: str) -> HttpResponse:
    """Send a results file with full names and the log. `?class=` is as for the public one."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    name, chunks = _name_and_make(request, contest, file, is_for_organisers=True)
    return cast(HttpResponse, stream_file(request, chunks, _get_type(file), name))


def _get_version(contest: Contest, file: str) -> tuple[object, ...]:
    """Return what the bytes of a public file depend on."""
    has_luck = split_semicolons(file)[0] in WITH_LUCK
    waiting = get_waiting_period(contest, is_for_organisers=False) if has_luck else None
    return get_audience_version(contest), waiting


def _get_type(file: str) -> str:
    return TYPES[file.rpartition(".")[2]]


def _get_name(contest: Contest, file: str) -> str:
    return f"{'practice-' if contest.event.is_practice else ''}{contest.event.slug}-{contest.slug}-{file}"


def _name_and_make(
    request: HttpRequest, contest: Contest, file: str, *, is_for_organisers: bool
) -> tuple[str, Iterable[bytes]]:
    """Return the name of a file, and its bytes in parts.

    Raises:
        Http404: the contest has no such file, or the event no such class.
    """
    if "class" in request.GET:
        return _make_class_file(contest, request.GET["class"], file, is_for_organisers=is_for_organisers)
    return _get_name(contest, file), _make(contest, file, is_for_organisers=is_for_organisers)


def _make_class_file(
    contest: Contest, class_id: str, file: str, *, is_for_organisers: bool
) -> tuple[str, Iterable[bytes]]:
    """Return the standings of a class; none while the contest's standings have no classes, as during a reveal."""
    wanted = parse_uuid(class_id)
    plain, has_semicolons = split_semicolons(file)
    if plain != STANDINGS_FILE or wanted is None:
        raise Http404
    results = read_results(contest, is_for_organisers=is_for_organisers)
    found = results.board.find_class(wanted) or contest.event.classes.filter(pk=wanted).first()
    if found is None:
        raise Http404
    table = mark_class(make_standings_table(narrow_to_class(results, wanted)), found.name)
    ending = file.replace("export", "standings")
    name = _get_name(contest, f"class-{slugify(found.name) or str(wanted)[:8]}-{ending}")
    return name, write_csv(_mark(contest, table), has_semicolons=has_semicolons)


def _make(contest: Contest, file: str, *, is_for_organisers: bool) -> Iterable[bytes]:
    """Return the bytes of a file, in parts.

    Raises:
        Http404: the contest has no such file.
    """
    if file == JSON_FILE:
        return _make_json(contest, is_for_organisers=is_for_organisers)
    file, has_semicolons = split_semicolons(file)
    if file == "log.csv":
        return write_csv(_mark(contest, make_log_table(contest)), has_semicolons=has_semicolons)
    results = read_results(contest, is_for_organisers=is_for_organisers)
    log = make_log_table(contest) if is_for_organisers else None
    if file == "export.xlsx":
        made = (make(results) for make in SHEETS)
        tables = [table for table in (*made, log) if table is not None]
        title = f"{_('Practice')} · {results.official_text}" if contest.event.is_practice else results.official_text
        return write_workbook((_mark(contest, table) for table in tables), title)
    table = CSV_TABLES[file](results)
    if table is None:
        raise Http404
    return write_csv(_mark(contest, table), has_semicolons=has_semicolons)


@in_english
def _make_json(contest: Contest, *, is_for_organisers: bool) -> Iterable[bytes]:
    data = dict(ResultsSerializer(read_results(contest, is_for_organisers=is_for_organisers)).data)
    if is_for_organisers:
        log = make_log_table(contest)
        data["log"] = [dict(zip(log.headings, row, strict=True)) for row in log.rows]
    return write_json(data)


def _mark(contest: Contest, table: ExportSheet) -> ExportSheet:
    return mark_practice(table) if contest.event.is_practice else table
