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
from scorekeeper.crew.access import CrewRequest
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.display_names import format_points
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.selectors.group import NextBike, get_next_bike
from scorekeeper.scorecards.views.card_context import CardContext

PAGE = "scorecards/card.html"
CONFLICT = 409


def render_turn_result(
    request: CrewRequest, card_context: CardContext, slot_id: UUID, done: UUID | None = None
) -> HttpResponse:
    """Show the slot's turn and the next bike.

    Args:
        done: the operation that was just recorded. If it recorded this turn, Undo is offered.
    """
    turn = card_context.card.get_turn(slot_id)
    assert turn is not None
    assert turn.origin is not None
    is_own = done == turn.id and turn.origin.actor_id == card_context.actor.id
    here = card_context.list_slots_at_same_stop(slot_id)
    free = next((slot.pk for slot in here if card_context.card.get_turn(slot.pk) is None), None)
    next_bike = get_next_bike(request.device.member, here, card_context.bike)
    card_context = replace(card_context, riders=next_bike.riders)
    context = {
        **make_page_context(card_context, slot_id),
        **_present_next_bike(card_context, here[0].stop_id, next_bike),
        "turn": turn,
        "is_own": is_own,
        "is_double": done is not None and not is_own,
        "result": card_context.describe_turn(turn),
        **_present_result(card_context, turn),
        "actor_name": "" if is_own else _get_actor_name(card_context, turn.origin.actor_id),
        "recorded_at": turn.origin.recorded_at,
        "again_url": make_card_url(card_context, free) if free else "",
        "operation": uuid4(),
    }
    response = render_partial(request, PAGE, "scorecards/_turn_result.html", context)
    if is_own:
        response.headers["HX-Push-Url"] = make_result_url(card_context, slot_id, turn.id)
    return response


def _present_result(card_context: CardContext, turn: RecordedTurn) -> dict[str, Any]:
    """Return the turn's dice, box and points one by one; only the box where the game gives it no line."""
    result = card_context.card.fold.results.get(turn.id)
    if result is None or result.line is None:
        return {"box": card_context.describe_turn(turn)}
    return {"dice": result.dice, "box": translate(result.label), "points": format_points(result.points)}


def render_in_review(request: CrewRequest, card_context: CardContext, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """Say that the organiser will decide on the entry, and show the current turn (409)."""
    turn = card_context.card.get_turn(slot_id)
    here = card_context.list_slots_at_same_stop(slot_id)
    next_bike = get_next_bike(request.device.member, here, card_context.bike)
    card_context = replace(card_context, riders=next_bike.riders)
    context = {
        **make_page_context(card_context, slot_id),
        **_present_next_bike(card_context, here[0].stop_id, next_bike),
        "sentences": explain_all(card_context.contest.game_key, receipt.problems),
    }
    if receipt.outcome == Operation.Outcome.CONFLICT and turn is not None and turn.origin is not None:
        actor_name = _get_actor_name(card_context, turn.origin.actor_id)
        context |= {"current": card_context.describe_turn(turn), "current_by": actor_name}
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
    }


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


def _present_next_bike(card_context: CardContext, stop_id: UUID, next_bike: NextBike) -> dict[str, Any]:
    query = urlencode({"contest": card_context.contest.pk, "stop": stop_id})
    url = "" if next_bike.id is None else f"{reverse('scorecards:card', args=[next_bike.id])}?{query}"
    return {"next_bike": next_bike, "next_url": url}
