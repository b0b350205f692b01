"""The page for a bike of another group: why it cannot be recorded, and how a road captain takes it over."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scorekeeper.common.request_data import get_request_data
from scorekeeper.crew.access import CrewRequest
from scorekeeper.scorecards.views.card_context import CardContext

FORBIDDEN = 403


def render_not_allowed(request: CrewRequest, card_context: CardContext) -> HttpResponse:
    """Respond 403 with an explanation. A road captain gets a link to take the bike over."""
    query = {name: get_request_data(request)[name] for name in ("stop", "slot") if get_request_data(request).get(name)}
    query |= {"contest": str(card_context.contest.pk), "takes_over": "1"}
    context = {
        "card_context": card_context,
        "can_take_over": card_context.actor.can_take_over,
        "take_over_url": f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{urlencode(query)}",
    }
    return render(request, "scorecards/not_yours.html", context, status=FORBIDDEN)
