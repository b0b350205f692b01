"""The history page of a card: its current turns, who recorded them, and links to correct them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.selectors.history import get_card_history
from scorekeeper.scorecards.turn_form_presenter import present_sheet
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.card_views import render_card_page


def history(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the turns, the score sheet, the entries in review, and the log."""
    damaged_from = card_context.card.damaged_from
    context = {
        "damage": "" if damaged_from is None else format_damage_notice(damaged_from),
        "history": get_card_history(card_context.event, card_context.card, card_context.slot_names),
        "sheet": present_sheet(
            card_context.contest.game_key, card_context.ruleset.game.sheet(card_context.card.fold.state)
        ),
        "total": card_context.ruleset.game.standing(card_context.card.fold.state, 0).total,
        "correct_url": card_context.url("correct"),
        "void_url": card_context.url("void"),
        "move_url": card_context.url("move"),
        "retire_url": card_context.url("retire") if card_context.can_retire else "",
        "free_slots": _list_slots_to_record(card_context),
        "is_sealed": card_context.card.chain.is_sealed,
        "joint": "&" if "?" in card_context.url("correct") else "?",
    }
    return render_card_page(request, card_context, _("Scorecard history"), "scorecards/_history.html", context)


def _list_slots_to_record(card_context: CardContext) -> list[tuple[str, str]]:
    """Return the free slots that the organiser may fill: the URL of the form, and the slot's name."""
    if card_context.card.damaged_from or not (card_context.actor.is_organiser and card_context.event.is_open):
        return []
    return [(f"{card_context.url('note')}?slot={slot_id}", name) for slot_id, name in card_context.list_free_slots()]
