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
from scorekeeper.scorecards.services.cards import Damaged
from scorekeeper.scorecards.services.recording import NotYet, NotYours
from scorekeeper.scorecards.views.places import Place, open_crew_place, open_desk_place, render_part
from scorekeeper.scorecards.views.signed_out import keeps_what_was_typed
from scorekeeper.scorecards.views.take_over import refuse

# Said by whoever has just sent something for a card with a log that cannot be read.
DAMAGED = _("The log of this card is damaged, so nothing can be noted on it. Note it on paper until it is mended.")

CardView = Callable[[HttpRequest, Place], HttpResponse]


def for_crew(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to the crew of the bike's group, and to a road captain of another (403 for the rest)."""

    @keeps_what_was_typed
    @crew_required
    def opened(request: CrewRequest, bike_id: UUID) -> HttpResponse:
        place = open_crew_place(request, bike_id)
        try:
            place.check_is_yours()
        except NotYours:
            return refuse(request, place)
        return _answer(request, place, view)

    return opened


def for_desk(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to the organisers of the card's event."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        place = open_desk_place(Actor.of_organiser(request.organiser), event, card_id)
        return _answer(request, place, view)

    return opened


def _answer(request: HttpRequest, place: Place, view: CardView) -> HttpResponse:
    try:
        if request.method == "POST" and place.card.damaged_from is not None:
            raise Damaged(place.card.id)
        return view(request, place)
    except Damaged:
        return show_changed(request, place, DAMAGED)
    except NotYet:
        return show_changed(request, place, _("The organiser has just merged bikes or changed the turns."))


def show_changed(request: HttpRequest, place: Place, text: str | Promise) -> HttpResponse:
    """Say that the card is no longer what the page was about (409)."""
    return render_place(request, place, _("The card has changed"), "scorecards/_gone.html", {"text": text}, 409)


def render_place(
    request: HttpRequest,
    place: Place,
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
    return render_part(request, page, part, {**frame, **context}, status)
