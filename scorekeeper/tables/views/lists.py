"""Lists of tables: the organiser's list of one contest, and the crew's list of all tables at the event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.scorecards.selectors.table_summaries import TableSummary, format_table_count, list_tables
from scorekeeper.scorecards.selectors.tables import list_table_contests
from scorekeeper.tables.views.contest_access import ContestTablesContext

MIN_TABLES_FOR_SEARCH = 12  # up to this many tables are seen at a glance
STAGE_ORDER = ("playing", "damaged", "new", "finished")


def desk_list(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """List the tables of a contest for its organiser."""
    tables = list_tables(contest_context.contest)
    context = {
        "event": contest_context.event,
        "contest": contest_context.contest,
        "contest_context": contest_context,
        "total": translate(contest_context.contest.game.total_label),
        "tables": tables,
        "count": format_table_count(tables),
    }
    return render(request, "tables/desk_list.html", context)


@crew_required
def crew_list(request: CrewRequest) -> HttpResponse:
    """List the tables of all contests, those in play first. `?q=` searches for a name or a number."""
    event = request.device.member.group.event
    listed = [(contest, list_tables(contest)) for contest in list_table_contests(event)]
    searched = request.GET.get("q", "").strip()
    context = {
        "event": event,
        "group": request.device.member.group,
        "contests": [
            (contest, _sort_by_stage(_search(tables, searched)), format_table_count(tables))
            for contest, tables in listed
        ],
        "searched": searched,
        "is_searchable": sum(len(tables) for _contest, tables in listed) > MIN_TABLES_FOR_SEARCH,
    }
    return render(request, "tables/crew_list.html", context)


def _search(tables: list[TableSummary], query: str) -> list[TableSummary]:
    needle = query.casefold()
    return [table for table in tables if needle in table.name.casefold()]


def _sort_by_stage(tables: list[TableSummary]) -> list[TableSummary]:
    return sorted(tables, key=lambda table: STAGE_ORDER.index(table.stage))
