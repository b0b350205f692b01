"""The tables of one bike or player: each score sheet with its seats side by side, and the game's own picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.sheet import LineKind
from scorekeeper.audience.leaderboard_presenter import get_class_url
from scorekeeper.audience.luck import are_values_visible, is_luck_worth_a_link
from scorekeeper.audience.visible_standings import StandingsView, get_audience_view, list_class_places
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import get_display, translate
from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.results.board_search import make_entrant_context
from scorekeeper.results.public_lookups import get_public_contest, list_breadcrumbs
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.open_table import OpenTable
from scorekeeper.scorecards.selectors.tables import list_card_ids
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.contest_report import CardReport
from scorekeeper.standings.entrant_table import EntrantTable
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import (
    explain_chances,
    explain_outlook,
    format_frozen,
    format_official_status,
    format_public_revision_notice,
    format_row_status,
)

EntrantNames = Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class ScoreSheetRow:
    """A line of a score sheet with the points of every seat.

    Attributes:
        heading: of the section that begins here; "" elsewhere.
    """

    heading: str
    label: str
    kind: LineKind
    points: tuple[int | None, ...]


def entrant_tables(request: HttpRequest, slug: str, contest_slug: str, entrant_id: UUID) -> HttpResponse:
    """Show every table at which a bike or a player has a seat."""
    contest = get_public_contest(slug, contest_slug)
    if get_kind(contest.game).entrant_route != "results:seats":
        raise Http404
    view = get_audience_view(contest)
    tables = view.list_tables(entrant_id)
    bike = Bike.objects.filter(event=contest.event, pk=entrant_id).first()
    if not tables and not list_card_ids(contest.pk, [entrant_id]):
        return _redirect_to_merged(contest, bike)
    board, people = view.get_leaderboard(), get_public_names(contest.event, contest)
    row = next((row for row in board.rows if row.entrant_id == entrant_id), None)
    number, name = "" if bike is None else bike.label, people.get(entrant_id, "")
    tables_data = [_present_table(contest, table, people) for table in tables]
    context = {
        **make_entrant_context(contest, entrant_id),
        "event": contest.event,
        "contest": contest,
        "now": timezone.now(),
        "crumbs": list_breadcrumbs(contest, _("Bike %(number)s") % {"number": number} if number else name),
        "entrant_id": entrant_id,
        "number": number,
        "name": name,
        "row": row,
        "class_places": [
            (place.name, get_class_url(contest, place.class_id), place.row.rank_label)
            for place in list_class_places(contest, view, entrant_id)
        ],
        "row_status": "" if row is None else format_row_status(row, contest.ruleset),
        "needs": _list_needs(contest, row, view),
        "headings": get_standings_headings(contest, board),
        "tables": tables_data,
        "official": format_official_status(board, contest.event),
        "pending": format_public_revision_notice(board),
        "frozen": format_frozen(board, contest.event),
        "board": board,
        "is_coached": any(table.live_table is not None and table.live_table.awaits_seat for table in tables)
        and are_values_visible(contest),
        "has_luck": is_luck_worth_a_link(contest),
    }
    version = sha256(canonical_json(_list_version_parts(context)))
    return render_refreshable(request, "results/seats.html", "results/_seats.html", context, version)


def _list_needs(contest: Contest, row: LeaderboardRow | None, view: StandingsView) -> list[str]:
    """Return what is still possible for an entrant, and their chances."""
    if row is None or not row.is_ranked:
        return []
    outlook = [] if row.outlook is None else explain_outlook(contest.game, row.outlook, contest.prizes)
    return [*outlook, *explain_chances(contest, view.get_chances(), row.entrant_id, row.status, row.outlook)]


def _list_version_parts(context: Mapping[str, Any]) -> list[Any]:
    """Return everything the page part shows: figures, names, and official status."""
    row = context["row"]
    tables = [
        [
            *(table[key] for key in ("number", "seats", "state", "length", "needs")),
            [line.points for line in table["rows"]],
        ]
        for table in context["tables"]
    ]
    texts = [context[key] for key in ("number", "name", "row_status", "official", "pending", "frozen")]
    return [*texts, context["class_places"], context["needs"], None if row is None else row.to_data(), tables]


def _redirect_to_merged(contest: Contest, bike: Bike | None) -> HttpResponse:
    """Redirect to the bike that this one was merged into; any other bike or player without a seat is not found."""
    if bike is None or bike.merged_into_id is None:
        raise Http404
    return redirect("results:seats", contest.event.slug, contest.slug, bike.merged_into_id)


def _present_table(contest: Contest, table: EntrantTable, people: EntrantNames) -> dict[str, Any]:
    live = table.live_table
    damage = "" if live is None or live.damaged_from is None else format_damage_notice(live.damaged_from)
    return {
        "number": table.number,
        "seats": [format_entrant(report.number, people.get(report.entrant_id, "")) for report in table.seat_reports],
        "length": None if live is None else live.length,
        "rows": list_sheet_rows(table.seat_reports),
        "state": "" if live is None or damage else _describe_state(live),
        "damage": damage,
        "picture": None if live is None else get_display(contest.game, live.state),
        "needs": list_table_needs(table, people),
    }


def list_table_needs(table: EntrantTable, people: EntrantNames) -> list[tuple[str, str]]:
    """Return each player of whom there is something to say, with what they need and what is decided at the table."""
    return [
        (
            format_entrant(report.number, people.get(report.entrant_id, "")),
            " ".join(translate(prospect.text, prospect.params) for prospect in prospects),
        )
        for report, prospects in zip(table.seat_reports, table.prospects, strict=False)
        if prospects
    ]


def _describe_state(table: OpenTable) -> str:
    if table.is_finished:
        return _("Finished")
    return _("In play") if table.turns else _("Nothing recorded yet")


def list_sheet_rows(reports: Sequence[CardReport]) -> list[ScoreSheetRow]:
    """Return the score sheet of a table line by line, from the reports of its seats."""
    rows, section = [], None
    for lines in zip(*(report.lines for report in reports), strict=True):
        line = lines[0]
        heading = "" if line.section_text is None or line.section == section else translate(line.section_text)
        section = line.section
        rows.append(ScoreSheetRow(heading, translate(line.label_text), line.kind, tuple(cell.points for cell in lines)))
    return rows
