"""The two doors to the pages about a card: the crew come by the bike, organisers by the card.

A page behind them gets its `Place` and need not know which door was used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.cards import DamagedCard
from scorekeeper.scorecards.services.recording import NotAllowed, UnknownTarget
from scorekeeper.scorecards.views.card_context import (
    CardContext,
    get_crew_context,
    get_organiser_context,
    render_partial,
)
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed

# Said by whoever has just sent something for a card with a log that cannot be read.
CARD_DAMAGED = _(
    "The log of this scorecard is damaged, so nothing can be recorded on it. Write results on "
    "paper until it is repaired."
)

CardView = Callable[[HttpRequest, CardContext], HttpResponse]


def crew_view(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to the crew of the bike's group, and to a road captain of another (403 for the rest)."""

    @preserve_input
    @crew_required
    def opened(request: CrewRequest, bike_id: UUID) -> HttpResponse:
        place = get_crew_context(request, bike_id)
        try:
            place.check_can_record()
        except NotAllowed:
            return render_not_allowed(request, place)
        return _call_view(request, place, view)

    return opened


def organiser_view(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to the organisers of the card's event."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        place = get_organiser_context(Actor.from_organiser(request.organiser), event, card_id)
        return _call_view(request, place, view)

    return opened


def _call_view(request: HttpRequest, place: CardContext, view: CardView) -> HttpResponse:
    try:
        if request.method == "POST" and place.card.damaged_from is not None:
            raise DamagedCard(place.card.id)
        return view(request, place)
    except DamagedCard:
        return render_card_changed(request, place, CARD_DAMAGED)
    except UnknownTarget:
        return render_card_changed(request, place, _("The organiser has just merged bikes or changed the turns."))


def render_card_changed(request: HttpRequest, place: CardContext, text: str | Promise) -> HttpResponse:
    """Say that the card is no longer what the page was about (409)."""
    return render_card_page(
        request, place, _("The scorecard has changed"), "scorecards/_message.html", {"text": text}, 409
    )


def render_card_page(
    request: HttpRequest,
    place: CardContext,
    title: str | Promise,
    part: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Render a page about a card in the frame of whoever looks at it."""
    page = "scorecards/desk_page.html" if place.actor.is_organiser else "scorecards/bike_page.html"
    frame = {
        "place": place,
        "event": place.event,
        "title": title,
        "card_url": place.url("card"),
        "history_url": place.url("history"),
    }
    return render_partial(request, page, part, {**frame, **context}, status)
