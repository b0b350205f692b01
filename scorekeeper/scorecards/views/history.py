"""The history of a card: what stands and who noted it, each turn with the ways to put it right."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.entry import show_sheet
from scorekeeper.scorecards.naming import say_damage
from scorekeeper.scorecards.selectors.history import get_history
from scorekeeper.scorecards.views.doors import render_place
from scorekeeper.scorecards.views.places import Place


def history(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the turns, the sheet, what waits, and the log."""
    damaged_from = place.card.damaged_from
    context = {
        "damage": "" if damaged_from is None else say_damage(damaged_from),
        "history": get_history(place.event, place.card, place.slot_names),
        "sheet": show_sheet(place.contest.game_key, place.ruleset.game.sheet(place.card.fold.state)),
        "total": place.ruleset.game.standing(place.card.fold.state, 0).total,
        "correct_url": place.url("correct"),
        "void_url": place.url("void"),
        "move_url": place.url("move"),
        "retire_url": place.url("retire") if place.may_retire else "",
        "free_slots": _list_to_note(place),
        "is_sealed": place.card.chain.is_sealed,
        "joint": "&" if "?" in place.url("correct") else "?",
    }
    return render_place(request, place, _("History of the card"), "scorecards/_history.html", context)


def _list_to_note(place: Place) -> list[tuple[str, str]]:
    """Return the free slots that the organiser may fill: where that is done, and what the slot is called."""
    if place.card.damaged_from or not (place.actor.is_organiser and place.event.is_open):
        return []
    return [(f"{place.url('note')}?slot={slot_id}", name) for slot_id, name in place.list_free_slots()]
