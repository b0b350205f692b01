"""What somebody played at the tables: each score sheet with all its seats side by side, and the game's own picture."""

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
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rules import draw_play, say
from scorekeeper.events.models import Contest
from scorekeeper.results.addresses import get_public_contest, list_crumbs
from scorekeeper.results.views.refreshing import render_refreshed
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.naming import say_damage
from scorekeeper.standings.headings import get_headings
from scorekeeper.standings.report import ReportCard
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.selectors.tables import ShownTable, list_tables_of
from scorekeeper.standings.wording import say_needs, say_note, say_official, say_pending, say_seat
from scorekeeper.tables.open_table import OpenTable
from scorekeeper.tables.selectors.folding import list_cards_of

People = Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet with the points of every seat.

    Attributes:
        heading: of a section that begins here; "" elsewhere.
    """

    heading: str
    label: str
    kind: LineKind
    points: tuple[int | None, ...]


def seats(request: HttpRequest, slug: str, contest_slug: str, holder_id: UUID) -> HttpResponse:
    """Show every table that a bike or a player sits at."""
    contest = get_public_contest(slug, contest_slug)
    if contest.game.recorded_by != "action":
        raise Http404
    tables = list_tables_of(contest, holder_id)
    bike = Bike.objects.filter(event=contest.event, pk=holder_id).first()
    if not tables and not list_cards_of(contest.pk, [holder_id]):
        return _lead_to_merged(contest, bike)
    board, people = get_leaderboard(contest), get_public_riders(contest.event)
    row = next((row for row in board.rows if row.holder_id == holder_id), None)
    number, name = "" if bike is None else bike.label, people.get(holder_id, "")
    shown = [_show(contest, table, people) for table in tables]
    context = {
        "event": contest.event,
        "contest": contest,
        "now": timezone.now(),
        "crumbs": list_crumbs(contest, _("Bike %(number)s") % {"number": number} if number else name),
        "holder_id": holder_id,
        "number": number,
        "name": name,
        "row": row,
        "note": "" if row is None else say_note(row, contest.game),
        "needs": [] if row is None or row.outlook is None else say_needs(row.outlook, contest.prizes),
        "headings": get_headings(contest),
        "tables": shown,
        "official": say_official(board, contest.event),
        "pending": say_pending(board),
        "board": board,
    }
    version = sha256(canonical_json(_list_shown(context)))
    return render_refreshed(request, "results/seats.html", "results/_seats.html", context, version)


def _list_shown(context: Mapping[str, Any]) -> list[Any]:
    """Return everything the part shows: figures, names, and how official they are."""
    row = context["row"]
    tables = [
        [table["number"], table["seats"], table["state"], table["length"], [line.points for line in table["rows"]]]
        for table in context["tables"]
    ]
    words = [context[word] for word in ("number", "name", "note", "official", "pending")]
    return [*words, context["needs"], None if row is None else row.to_data(), tables]


def _lead_to_merged(contest: Contest, bike: Bike | None) -> HttpResponse:
    """Lead to the bike that this one was merged into; whoever else has no seat is not found."""
    if bike is None or bike.merged_into_id is None:
        raise Http404
    return redirect("results:seats", contest.event.slug, contest.slug, bike.merged_into_id)


def _show(contest: Contest, table: ShownTable, people: People) -> dict[str, Any]:
    live = table.live
    damage = "" if live is None or live.damaged_from is None else say_damage(live.damaged_from)
    return {
        "number": table.number,
        "seats": [say_seat(part.number, people.get(part.holder_id, "")) for part in table.parts],
        "length": None if live is None else live.length,
        "rows": show_rows(table.parts),
        "state": "" if live is None or damage else _say_state(live),
        "damage": damage,
        "picture": None if live is None else draw_play(contest.game, live.state),
    }


def _say_state(table: OpenTable) -> str:
    if table.is_finished:
        return _("Finished")
    return _("In play") if table.noted else _("Nothing noted yet")


def show_rows(parts: Sequence[ReportCard]) -> list[SheetRow]:
    """Return the score sheet of a table line by line, out of what it says of each seat."""
    rows, section = [], None
    for same in zip(*(part.lines for part in parts), strict=True):
        line = same[0]
        heading = "" if line.section_text is None or line.section == section else say(line.section_text)
        section = line.section
        rows.append(SheetRow(heading, say(line.label_text), line.kind, tuple(one.points for one in same)))
    return rows
