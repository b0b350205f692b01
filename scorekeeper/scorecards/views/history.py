"""The history of a card: what stands and who noted it, each turn with the ways to put it right."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.selectors.history import get_card_history
from scorekeeper.scorecards.turn_form_presenter import present_sheet
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.card_views import render_card_page


def history(request: HttpRequest, place: CardContext) -> HttpResponse:
    """Show the turns, the sheet, what waits, and the log."""
    damaged_from = place.card.damaged_from
    context = {
        "damage": "" if damaged_from is None else format_damage_notice(damaged_from),
        "history": get_card_history(place.event, place.card, place.slot_names),
        "sheet": present_sheet(place.contest.game_key, place.ruleset.game.sheet(place.card.fold.state)),
        "total": place.ruleset.game.standing(place.card.fold.state, 0).total,
        "correct_url": place.url("correct"),
        "void_url": place.url("void"),
        "move_url": place.url("move"),
        "retire_url": place.url("retire") if place.can_retire else "",
        "free_slots": _list_slots_to_record(place),
        "is_sealed": place.card.chain.is_sealed,
        "joint": "&" if "?" in place.url("correct") else "?",
    }
    return render_card_page(request, place, _("Scorecard history"), "scorecards/_history.html", context)


def _list_slots_to_record(place: CardContext) -> list[tuple[str, str]]:
    """Return the free slots that the organiser may fill: where that is done, and what the slot is called."""
    if place.card.damaged_from or not (place.actor.is_organiser and place.event.is_open):
        return []
    return [(f"{place.url('note')}?slot={slot_id}", name) for slot_id, name in place.list_free_slots()]
