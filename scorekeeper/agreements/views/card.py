"""A card as its rider sees it, with the button “I agree”: on the crew's phone, and at the desk."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.agreements.agreement_url import get_agreement_url
from scorekeeper.agreements.forms.agreement_tap import AgreementTap
from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors.agreements import get_card_agreement
from scorekeeper.agreements.services.agreements import SeenCard, agree, can_confirm
from scorekeeper.agreements.sheet_digest import compute_state_digest
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.services.recording import IdReused, RecordingError
from scorekeeper.scorecards.display_names import format_points
from scorekeeper.scorecards.fold import sort_by_slot
from scorekeeper.scorecards.turn_form_presenter import present_sheet
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import add_query, make_page_errors, render_page

CONFLICT, UNPROCESSABLE = 409, 422


def show_card(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the card, and record that it is agreed to or no longer. `?done=` is what was just recorded."""
    if request.method != "POST":
        return _render(request, card_context)
    tap = AgreementTap.parse(request.POST)
    if not (card_context.event.is_open or card_context.actor.is_organiser):
        return _render(request, card_context, _("The ride is not open, so nothing can be recorded."), UNPROCESSABLE)
    if tap.is_agreed and tap.digest != compute_state_digest(card_context.card):
        text = _("The scorecard has changed since this page was opened. Check it again.")
        return _render(request, card_context, text, CONFLICT)
    seen = SeenCard(card_context.contest.pk, card_context.bike.pk, tap.digest)
    try:
        agree(card_context.actor, tap.operation_id, seen, tap.by, is_agreed=tap.is_agreed)
    except IdReused:
        return _render(request, card_context, _("This page is out of date. Check it, then tap again."), CONFLICT)
    except RecordingError:
        text = _("You cannot record this. Ask the bike’s own crew, or the organiser.")
        return _render(request, card_context, text, CONFLICT)
    return redirect(add_query(get_agreement_url(card_context), {"done": tap.operation_id} if tap.is_agreed else {}))


def _render(request: HttpRequest, card_context: CardContext, error: str = "", status: int = 200) -> HttpResponse:
    card, game = card_context.card, card_context.ruleset.game
    sheet = game.sheet(card.fold.state)
    digest = compute_state_digest(card)
    context = {
        "page_context": card_context,
        "agreement": get_card_agreement(card_context.contest.pk, card_context.bike.pk, digest),
        "rows": _list_rows(card_context),
        "total": format_points(sheet.totals[0]),
        "sheet": present_sheet(card_context.contest.game_key, sheet),
        "errors": make_page_errors([error] if error else []),
        "operation": uuid4(),
        "done": parse_uuid(request.GET.get("done")),
        "can_confirm": can_confirm(card_context.actor),
        "captain": Agreement.By.CAPTAIN.value,
        "rider": Agreement.By.RIDER.value,
        "page_url": get_agreement_url(card_context),
    }
    return render_page(request, card_context, _("Your scorecard"), "agreements/_card.html", context, status)


def _list_rows(card_context: CardContext) -> list[dict[str, Any]]:
    """Return the turns in order: where, which dice, which box, and the points."""
    rows = []
    for turn in sort_by_slot(card_context.card.contest, card_context.card.turns):
        result = card_context.card.fold.results.get(turn.id)
        if turn.slot_id is None or result is None:
            continue
        rows.append(
            {
                "stop": card_context.slot_names[turn.slot_id],
                "dice": result.dice,
                "box": translate(result.label),
                "points": result.points,
            }
        )
    return rows
