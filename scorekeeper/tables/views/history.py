"""The history of a table: every action, what it changed, what was corrected, and where that is done."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.views.card_context import parse_uuid
from scorekeeper.tables.selectors.history import get_history
from scorekeeper.tables.table_presenter import present_seats, present_sheet
from scorekeeper.tables.views.table_context import TableContext, render_table_page


def history(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Show the actions, newest first, and the score sheet. `?at=` an action shows the page that it is on."""
    at = parse_uuid(request.GET.get("at"))
    game, state = place.game, place.table.state
    context = {
        "history": get_history(place.event, place.table, place.names, request.GET.get("page", 1), at),
        "may_correct": place.may_correct,
        "is_sealed": place.table.is_sealed,
        "is_desk": place.actor.is_organiser,
        "correct_url": place.get_url("correct"),
        "void_url": place.get_url("void"),
        "total_label": translate(game.total_label),
        "seats": present_seats(game, state, place.names),
        "sheet": present_sheet(game, state),
    }
    return render_table_page(request, place, _("Table history"), "tables/_history.html", context)
