"""The history of a table: every action, what it changed, what was corrected, and where that is done."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.rules import say
from scorekeeper.scorecards.views.places import read_uuid
from scorekeeper.tables.seats import show_seats, show_sheet
from scorekeeper.tables.selectors.history import get_history
from scorekeeper.tables.views.places import Place, render_place


def history(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the actions, newest first, and the score sheet. `?at=` an action shows the page that it is on."""
    at = read_uuid(request.GET.get("at"))
    game, state = place.game, place.table.state
    context = {
        "history": get_history(place.event, place.table, place.names, request.GET.get("page", 1), at),
        "may_correct": place.may_correct,
        "is_sealed": place.table.is_sealed,
        "is_desk": place.actor.is_organiser,
        "correct_url": place.url("correct"),
        "void_url": place.url("void"),
        "total_label": say(game.total_label),
        "seats": show_seats(game, state, place.names),
        "sheet": show_sheet(game, state),
    }
    return render_place(request, place, _("History of the table"), "tables/_history.html", context)
