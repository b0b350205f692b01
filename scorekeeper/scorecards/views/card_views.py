"""Decorators for views about a card: one for the crew, whose URLs name the bike, one for organisers, by card.

A decorated view gets a `CardContext` and does not need to know which decorator was used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.cards import DamagedCard
from scorekeeper.scorecards.views.card_context import CardContext, get_crew_context, get_organiser_context
from scorekeeper.scorecards.views.preserved_input import preserve_input
from scorekeeper.scorecards.views.take_over import render_not_allowed

# The message after someone sends something for a card with a damaged log.
CARD_DAMAGED = _(
    "The log of this scorecard is damaged, so nothing can be recorded on it. Write results on "
    "paper until it is repaired."
)

CardView = Callable[[HttpRequest, CardContext], HttpResponse]


def crew_view(view: CardView) -> Callable[..., HttpResponse]:
    """Allow a view for the crew of the bike's group and for road captains of other groups (403 for others)."""

    @preserve_input
    @crew_required
    def wrapper(request: CrewRequest, bike_id: UUID) -> HttpResponse:
        card_context = get_crew_context(request, bike_id)
        try:
            card_context.check_can_record()
        except NotAllowed:
            return render_not_allowed(request, card_context)
        return _call_view(request, card_context, view)

    return wrapper


def organiser_view(view: CardView) -> Callable[..., HttpResponse]:
    """Allow a view for the organisers of the card's event."""

    @organiser_required
    def wrapper(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        card_context = get_organiser_context(Actor.from_organiser(request.organiser), event, card_id)
        return _call_view(request, card_context, view)

    return wrapper


def _call_view(request: HttpRequest, card_context: CardContext, view: CardView) -> HttpResponse:
    try:
        if request.method == "POST" and card_context.card.damaged_from is not None:
            raise DamagedCard(card_context.card.id)
        return view(request, card_context)
    except DamagedCard:
        return render_card_changed(request, card_context, CARD_DAMAGED)
    except UnknownTarget:
        return render_card_changed(
            request, card_context, _("The organiser has just merged bikes or changed the turns.")
        )


def render_card_changed(request: HttpRequest, card_context: CardContext, text: str | Promise) -> HttpResponse:
    """Say that the card has changed, so that the page is out of date (409)."""
    return render_card_page(
        request, card_context, _("The scorecard has changed"), "scorecards/_message.html", {"text": text}, 409
    )


def render_card_page(
    request: HttpRequest,
    card_context: CardContext,
    title: str | Promise,
    part: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Render a page about a card, with the layout for organisers or for the crew."""
    page = "scorecards/desk_page.html" if card_context.actor.is_organiser else "scorecards/bike_page.html"
    page_context = {
        "card_context": card_context,
        "event": card_context.event,
        "title": title,
        "card_url": card_context.url("card"),
        "history_url": card_context.url("history"),
    }
    return render_partial(request, page, part, {**page_context, **context}, status)
