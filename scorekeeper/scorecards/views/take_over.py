"""A bike of another group: why it cannot be noted, and for a road captain the way to take it over."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scorekeeper.crew.access import CrewRequest
from scorekeeper.scorecards.views.card_context import CardContext, get_request_data

FORBIDDEN = 403


def render_not_allowed(request: CrewRequest, place: CardContext) -> HttpResponse:
    """Answer 403 with the explanation; a road captain is offered to take the bike over."""
    query = {name: get_request_data(request)[name] for name in ("stop", "slot") if get_request_data(request).get(name)}
    query |= {"contest": str(place.contest.pk), "takes_over": "1"}
    context = {
        "place": place,
        "can_take_over": place.actor.can_take_over,
        "take_over_url": f"{reverse('scorecards:card', args=[place.bike.pk])}?{urlencode(query)}",
    }
    return render(request, "scorecards/not_yours.html", context, status=FORBIDDEN)
