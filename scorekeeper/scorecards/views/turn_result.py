"""The pages after a turn is sent: its result, with Undo for the person who recorded it, or that it is in review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.urls import reverse

from scorekeeper.crew.access import CrewRequest
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.models import Operation
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.selectors.group import get_group_at_stop
from scorekeeper.scorecards.views.card_context import CardContext, render_partial

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
    names = list_actor_names(card_context.event, [turn.origin.actor_id])
    is_own = done == turn.id and turn.origin.actor_id == card_context.actor.id
    stop_id = card_context.slots[slot_id].stop_id
    here = [slot.pk for slot in card_context.slots.values() if slot.stop_id == stop_id]
    free = next((slot for slot in here if card_context.card.get_turn(slot) is None), None)
    context = {
        **make_page_context(card_context, slot_id),
        **_find_next_bike(request, card_context, stop_id),
        "turn": turn,
        "is_own": is_own,
        "is_double": done is not None and not is_own,
        "result": card_context.describe_turn(turn),
        "actor_name": names.get(turn.origin.actor_id, ""),
        "recorded_at": turn.origin.recorded_at,
        "again_url": make_card_url(card_context, {"slot": free}) if free else "",
        "operation": uuid4(),
    }
    response = render_partial(request, PAGE, "scorecards/_turn_result.html", context)
    if is_own:
        response.headers["HX-Push-Url"] = make_result_url(card_context, slot_id, turn.id)
    return response


def render_in_review(request: CrewRequest, card_context: CardContext, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """Say that the organiser will decide on the entry, and show the current turn (409)."""
    turn = card_context.card.get_turn(slot_id)
    context = {
        **make_page_context(card_context, slot_id),
        **_find_next_bike(request, card_context, card_context.slots[slot_id].stop_id),
        "sentences": explain_all(card_context.contest.game_key, receipt.problems),
    }
    if receipt.outcome == Operation.Outcome.CONFLICT and turn is not None and turn.origin is not None:
        names = list_actor_names(card_context.event, [turn.origin.actor_id])
        context |= {"current": card_context.describe_turn(turn), "current_by": names.get(turn.origin.actor_id, "")}
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
        "here_url": make_card_url(card_context, {"slot": slot_id}),
        "list_url": f"{reverse('scorecards:group')}?{listing}",
        "history_url": card_context.url("history"),
        "other_turn_url": card_context.url("other_turn"),
    }


def make_card_url(card_context: CardContext, query: Mapping[str, object]) -> str:
    """Return the URL of the bike's card, with the parameters for taking over a bike if needed."""
    extra = {"takes_over": "1"} if card_context.takes_over else {}
    parameters = urlencode({"contest": card_context.contest.pk, **query, **extra}, doseq=True)
    return f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{parameters}"


def make_result_url(card_context: CardContext, slot_id: UUID, operation_id: UUID) -> str:
    """Return the URL that shows what an operation recorded."""
    return make_card_url(card_context, {"slot": slot_id, "done": operation_id})


def _find_next_bike(request: CrewRequest, card_context: CardContext, stop_id: UUID) -> dict[str, Any]:
    at_stop = get_group_at_stop(card_context.contest, request.device.member.group, stop_id)
    found: dict[str, Any] = {"rolled": at_stop.rolled_count, "bikes": len(at_stop.bikes)}
    row = at_stop.find_next_bike(card_context.bike)
    if row is not None:
        query = urlencode({"contest": card_context.contest.pk, "stop": stop_id})
        found |= {"next": row, "next_url": f"{reverse('scorecards:card', args=[row.id])}?{query}"}
    return found
