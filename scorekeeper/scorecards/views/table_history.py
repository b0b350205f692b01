"""The history of a table: every action, its effect on totals, and corrections, with links to correct and void."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.scorecards.selectors.table_history import get_history
from scorekeeper.scorecards.table_presenter import present_seats, present_sheet
from scorekeeper.scorecards.views.table_context import TableContext, render_table_page


def history(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the actions, newest first, and the score sheet. `?at=` the id of an action shows the page that it is on."""
    at = parse_uuid(request.GET.get("at"))
    game, state = table_context.game, table_context.table.state
    context = {
        "history": get_history(
            table_context.event, table_context.table, table_context.names, request.GET.get("page", 1), at
        ),
        "may_correct": table_context.may_correct,
        "is_sealed": table_context.table.is_sealed,
        "is_desk": table_context.actor.is_organiser,
        "correct_url": table_context.get_url("correct"),
        "void_url": table_context.get_url("void"),
        "total_label": translate(game.total_label),
        "seats": present_seats(game, state, table_context.names),
        "sheet": present_sheet(game, state),
    }
    return render_table_page(request, table_context, _("Table history"), "scorecards/_table_history.html", context)
