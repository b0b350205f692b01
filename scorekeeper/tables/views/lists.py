"""Finding the way to a table: the organiser's list of a contest's, and the crew's list of all at the event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.common.rules import say
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.selectors import list_contests_at_tables
from scorekeeper.tables.selectors.listing import ListedTable, list_tables, say_count
from scorekeeper.tables.views.contest_doors import ContestPlace

SEARCHED_FROM = 12  # tables; fewer are seen at a glance
STAGES = ("playing", "damaged", "new", "finished")


def desk_list(request: HttpRequest, place: ContestPlace) -> HttpResponse:
    """List the tables of a contest for its organiser."""
    tables = list_tables(place.contest)
    context = {
        "event": place.event,
        "contest": place.contest,
        "place": place,
        "total": say(place.contest.game.total_label),
        "tables": tables,
        "count": say_count(tables),
    }
    return render(request, "tables/desk_list.html", context)


@crew_required
def crew_list(request: CrewRequest) -> HttpResponse:
    """List the tables of all contests, those in play first. `?q=` looks for a name or a number."""
    event = request.device.member.group.event
    listed = [(contest, list_tables(contest)) for contest in list_contests_at_tables(event)]
    searched = request.GET.get("q", "").strip()
    context = {
        "event": event,
        "group": request.device.member.group,
        "contests": [
            (contest, _in_play_first(_find(tables, searched)), say_count(tables)) for contest, tables in listed
        ],
        "searched": searched,
        "is_searchable": sum(len(tables) for _contest, tables in listed) > SEARCHED_FROM,
    }
    return render(request, "tables/crew_list.html", context)


def _find(tables: list[ListedTable], words: str) -> list[ListedTable]:
    wanted = words.casefold()
    return [table for table in tables if wanted in table.name.casefold()]


def _in_play_first(tables: list[ListedTable]) -> list[ListedTable]:
    return sorted(tables, key=lambda table: STAGES.index(table.stage))
