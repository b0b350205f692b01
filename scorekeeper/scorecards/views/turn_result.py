"""The pages after a turn is sent: its result, with Undo for the person who recorded it, or that it is in review."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.urls import reverse

from scorekeeper.common.game_adapter import translate
from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.crew.access import CrewRequest
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.usual_reasons import CARD_BOUGHT, NO_MORE_CARDS, show_reason
from scorekeeper.scorecards.display_names import format_points, format_total
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.selectors.card_log import Sale, TurnLog, get_turn_log
from scorekeeper.scorecards.selectors.group import NextBike, get_next_bike
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import add_query

PAGE = "scorecards/card.html"
CONFLICT = 409


def render_turn_result(
    request: CrewRequest, card_context: CardContext, slot_id: UUID, done: UUID | None = None
) -> HttpResponse:
    """Show the slot's turn and the next bike.

    Args:
        done: the operation that was just recorded. If it recorded this turn, or what was bought after it, Undo is
            offered.
    """
    turn = card_context.card.get_turn(slot_id)
    assert turn is not None
    assert turn.origin is not None
    is_own = done == turn.id and turn.origin.actor_id == card_context.actor.id
    # Reading the log costs a statement, which only games need where something follows the last turn.
    closing_types = card_context.ruleset.game.closing_types
    log = TurnLog() if is_own and not closing_types else get_turn_log(card_context.card, turn)
    is_own = is_own and not log.sales  # Undo of the turn would take the cards along that were bought since
    sale = log.find_last_sale(turn)
    if sale is not None and (sale.entry.operation_id, sale.entry.operation.actor_id) != (done, card_context.actor.id):
        sale = None
    here = card_context.list_slots_at_same_stop(slot_id)
    free = next((slot.pk for slot in here if card_context.card.get_turn(slot.pk) is None), None)
    next_bike = get_next_bike(request.device.member, card_context.contest, here, card_context.bike)
    card_context = replace(card_context, riders=next_bike.riders)
    # A new sheet would lack the turns at other stops: the page that sells it says so, and the menu leads there.
    is_at_first_stop = {turn.slot_id for turn in card_context.recorded.values()}.issubset(slot.pk for slot in here)
    page_context = make_page_context(card_context, slot_id)
    context = {
        **page_context,
        **_present_next_bike(card_context, here[0].stop_id, next_bike, _get_mode(turn)),
        "offers_sheet": page_context["sell_url"] and next_bike.can_have_more_sheets and is_at_first_stop,
        "turn": turn,
        "is_own": is_own or sale is not None,
        "is_double": done is not None and not is_own and not log.sales,
        "done": done,
        "result": card_context.describe(turn),
        **_present_result(card_context, turn),
        **({} if sale is None else _present_sale(card_context, sale)),
        "actor_name": "" if is_own else _get_actor_name(card_context, turn.origin.actor_id),
        **_present_log(card_context, log),
        "recorded_at": turn.origin.recorded_at,
        "again_url": make_card_url(card_context, free) if free else "",
        "operation": uuid4(),
    }
    response = render_partial(request, PAGE, "scorecards/_turn_result.html", context)
    if is_own:
        response.headers["HX-Push-Url"] = make_result_url(card_context, slot_id, turn.id)
    return response


def _present_result(card_context: CardContext, turn: RecordedTurn) -> dict[str, Any]:
    """Return the turn's dice, box and points one by one; only the box where the game gives it no line.

    Where turns have no points, return what the card comes to instead of the box.
    """
    result = card_context.card.fold.results.get(turn.id)
    if result is None or result.line is None:
        return {"box": card_context.describe(turn)}
    game = card_context.ruleset.game
    if not game.points_of_turns:
        total = game.standing(card_context.card.fold.state, 0).total
        return {"dice": result.dice, "box": format_total(game, total)}
    return {"dice": result.dice, "box": translate(result.label), "points": format_points(result.points)}


def _present_sale(card_context: CardContext, sale: Sale) -> dict[str, Any]:
    """Return what was just bought after the turn, and where Undo takes it back."""
    said = show_reason(CARD_BOUGHT if sale.cards else NO_MORE_CARDS)
    return {"sale": said, "dice": sale.cards, "undo_url": card_context.get_url("buy")}


def _present_log(card_context: CardContext, log: TurnLog) -> dict[str, Any]:
    """Return who last corrected the turn, who recorded the cards that were bought after it, and when."""
    correction, changed = log.correction, {}
    if correction is not None:
        name = _get_actor_name(card_context, correction.operation.actor_id)
        changed = {"corrected_by": name, "corrected_at": correction.at}
    sales = [
        (show_faces(sale.cards), _get_actor_name(card_context, sale.entry.operation.actor_id), sale.entry.at)
        for sale in log.sales
        if sale.cards
    ]
    return {**changed, "sales": sales}


def render_in_review(request: CrewRequest, card_context: CardContext, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """Say that the organiser will decide on the entry, and show the current turn (409)."""
    turn = card_context.card.get_turn(slot_id)
    here = card_context.list_slots_at_same_stop(slot_id)
    next_bike = get_next_bike(request.device.member, card_context.contest, here, card_context.bike)
    card_context = replace(card_context, riders=next_bike.riders)
    context = {
        **make_page_context(card_context, slot_id),
        **_present_next_bike(card_context, here[0].stop_id, next_bike),
        "sentences": explain_all(card_context.contest.game_key, receipt.problems),
    }
    if receipt.outcome == Operation.Outcome.CONFLICT and turn is not None and turn.origin is not None:
        actor_name = _get_actor_name(card_context, turn.origin.actor_id)
        context |= {"current": card_context.describe(turn), "current_by": actor_name}
        context |= _present_log(card_context, get_turn_log(card_context.card, turn))
    return render_partial(request, PAGE, "scorecards/_turn_in_review.html", context, CONFLICT)


def make_page_context(card_context: CardContext, slot_id: UUID) -> dict[str, Any]:
    """Return what the header and every form of the card's pages need."""
    slot = card_context.slots[slot_id]
    listing = urlencode({"contest": card_context.contest.pk, "stop": slot.stop_id})
    return {
        "card_context": card_context,
        "slot": slot,
        "slot_name": card_context.slot_names[slot_id],
        "card_url": reverse("scorecards:card", args=[card_context.bike.pk]),
        "here_url": make_card_url(card_context, slot_id),
        "list_url": f"{reverse('scorecards:group')}?{listing}",
        "history_url": card_context.get_url("history"),
        "other_turn_url": card_context.get_url("other_turn"),
        "sell_url": _get_sale_url(card_context, slot.stop_id),
    }


def _get_sale_url(card_context: CardContext, stop_id: UUID) -> str:
    """Return the URL of the page that sells another sheet of the bike; "" where every bike has one."""
    contest = card_context.contest
    if not sells_sheets(contest) or contest.status != Contest.Status.OPEN:
        return ""
    return card_context.get_url("sell_sheet", stop=stop_id)


def make_card_url(card_context: CardContext, slot_id: UUID, **query: object) -> str:
    """Return the URL of the bike's card at a slot, with the parameter for taking over a bike if needed."""
    extra = {"takes_over": "1"} if card_context.needs_take_over_at(slot_id) else {}
    parameters = urlencode({"contest": card_context.contest.pk, "slot": slot_id, **query, **extra}, doseq=True)
    return f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{parameters}"


def make_result_url(card_context: CardContext, slot_id: UUID, operation_id: UUID) -> str:
    """Return the URL that shows what an operation recorded."""
    return make_card_url(card_context, slot_id, done=operation_id)


def _get_actor_name(card_context: CardContext, actor_id: UUID) -> str:
    return list_actor_names(card_context.event, [actor_id]).get(actor_id, "")


def _get_mode(turn: RecordedTurn) -> str:
    """Return how the turn's dice were entered, so that the next bike's are entered the same way."""
    return str(turn.actions[0]["type"]) if len(turn.actions) > 1 else ""


def _present_next_bike(card_context: CardContext, stop_id: UUID, next_bike: NextBike, mode: str = "") -> dict[str, Any]:
    """Return what is next, with its URL.

    Args:
        mode: how dice are entered next, in the same contest.
    """
    if next_bike.id is None:
        return {"next_bike": next_bike, "next_url": ""}
    query: dict[str, object] = {"contest": next_bike.contest_id, "stop": stop_id}
    if mode and next_bike.is_same_contest:
        query["mode"] = mode
    if next_bike.is_same_bike and card_context.needs_take_over([stop_id]):
        query["takes_over"] = "1"
    return {"next_bike": next_bike, "next_url": add_query(reverse("scorecards:card", args=[next_bike.id]), query)}
