"""What became of a turn: it stands, with Undo for whoever has just noted it, or it waits for the organiser."""

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
    request: CrewRequest, place: CardContext, slot_id: UUID, done: UUID | None = None
) -> HttpResponse:
    """Show what stands in the slot, and the next bike.

    Args:
        done: the operation that has just been recorded; where it made the turn, Undo is offered.
    """
    turn = place.card.get_turn(slot_id)
    assert turn is not None
    assert turn.origin is not None
    names = list_actor_names(place.event, [turn.origin.actor_id])
    is_own = done == turn.id and turn.origin.actor_id == place.actor.id
    stop_id = place.slots[slot_id].stop_id
    here = [slot.pk for slot in place.slots.values() if slot.stop_id == stop_id]
    free = next((slot for slot in here if place.card.get_turn(slot) is None), None)
    context = {
        **make_page_context(place, slot_id),
        **_find_next_bike(request, place, stop_id),
        "turn": turn,
        "is_own": is_own,
        "is_double": done is not None and not is_own,
        "result": place.describe_turn(turn),
        "actor_name": names.get(turn.origin.actor_id, ""),
        "recorded_at": turn.origin.recorded_at,
        "again_url": make_card_url(place, {"slot": free}) if free else "",
        "operation": uuid4(),
    }
    response = render_partial(request, PAGE, "scorecards/_turn_result.html", context)
    if is_own:
        response.headers["HX-Push-Url"] = make_result_url(place, slot_id, turn.id)
    return response


def render_in_review(request: CrewRequest, place: CardContext, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """Say that what was sent is kept for the organiser, and what stands there (409)."""
    turn = place.card.get_turn(slot_id)
    context = {
        **make_page_context(place, slot_id),
        **_find_next_bike(request, place, place.slots[slot_id].stop_id),
        "sentences": explain_all(place.contest.game_key, receipt.problems),
    }
    if receipt.outcome == Operation.Outcome.CONFLICT and turn is not None and turn.origin is not None:
        names = list_actor_names(place.event, [turn.origin.actor_id])
        context |= {"standing": place.describe_turn(turn), "standing_by": names.get(turn.origin.actor_id, "")}
    return render_partial(request, PAGE, "scorecards/_turn_in_review.html", context, CONFLICT)


def make_page_context(place: CardContext, slot_id: UUID) -> dict[str, Any]:
    """Return what the header and every form of the card need."""
    slot = place.slots[slot_id]
    listing = urlencode({"contest": place.contest.pk, "stop": slot.stop_id})
    return {
        "place": place,
        "slot": slot,
        "slot_name": place.slot_names[slot_id],
        "card_url": reverse("scorecards:card", args=[place.bike.pk]),
        "here_url": make_card_url(place, {"slot": slot_id}),
        "list_url": f"{reverse('scorecards:group')}?{listing}",
        "history_url": place.url("history"),
        "other_turn_url": place.url("other_turn"),
    }


def make_card_url(place: CardContext, query: Mapping[str, object]) -> str:
    """Return the address of the bike's card, with what a bike that is taken over needs."""
    more = {"takes_over": "1"} if place.takes_over else {}
    words = urlencode({"contest": place.contest.pk, **query, **more}, doseq=True)
    return f"{reverse('scorecards:card', args=[place.bike.pk])}?{words}"


def make_result_url(place: CardContext, slot_id: UUID, operation_id: UUID) -> str:
    """Return the address that shows what an operation noted."""
    return make_card_url(place, {"slot": slot_id, "done": operation_id})


def _find_next_bike(request: CrewRequest, place: CardContext, stop_id: UUID) -> dict[str, Any]:
    at_stop = get_group_at_stop(place.contest, request.device.member.group, stop_id)
    found: dict[str, Any] = {"rolled": at_stop.rolled_count, "bikes": len(at_stop.bikes)}
    row = at_stop.find_next_bike(place.bike)
    if row is not None:
        query = urlencode({"contest": place.contest.pk, "stop": stop_id})
        found |= {"next": row, "next_url": f"{reverse('scorecards:card', args=[row.id])}?{query}"}
    return found
