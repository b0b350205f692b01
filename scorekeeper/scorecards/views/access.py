"""Access to the pages about a card. The views get a `PageContext` and need not know who opened the page.

A bike's card is for the crew of its group, for road captains of other groups who take it over, and for crew who record
any bike at some stop, and change only what was recorded there. A table is for every phone of the event's crew.
Organisers see all cards of their event. A card of another event is not found (404).
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.scorecards.views.card_context import CardContext, get_crew_context, get_organiser_context
from scorekeeper.scorecards.views.preserved_input import list_entered_values, preserve_input, preserve_input_from
from scorekeeper.scorecards.views.responses import CARD_DAMAGED, render_changed, render_not_allowed
from scorekeeper.scorecards.views.table_context import TableContext, get_table_context

CardView = Callable[[HttpRequest, CardContext], HttpResponse]
TableView = Callable[[HttpRequest, TableContext], HttpResponse]


def crew_card_view(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to those who may record the bike, and a page about a turn to those who may record that (403)."""

    @preserve_input
    @crew_required
    def opened(request: CrewRequest, bike_id: UUID) -> HttpResponse:
        card_context = get_crew_context(request, bike_id)
        try:
            named = map(parse_uuid, get_request_data(request).getlist(card_context.target_field))
            card_context.check_can_record(filter(None, named))
            return _call_view(request, card_context, view)
        except NotAllowed:
            return render_not_allowed(request, card_context)

    return opened


def desk_card_view(view: CardView) -> Callable[..., HttpResponse]:
    """Open a page to the organisers of the card's event."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        card_context = get_organiser_context(Actor.from_organiser(request.organiser), event, card_id)
        return _call_view(request, card_context, view)

    return opened


def crew_table_view(view: TableView) -> Callable[..., HttpResponse]:
    """Open a page to every phone of the event's crew; one that was signed out gets its input back."""

    @crew_required
    def opened(request: CrewRequest, card_id: UUID) -> HttpResponse:
        table_context = get_table_context(Actor.from_device(request.device), request.device.member.group.event, card_id)
        return view(request, table_context)

    return preserve_input_from(opened, list_entered_values)


def desk_table_view(view: TableView) -> Callable[..., HttpResponse]:
    """Open a page to the organisers of the table's event."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        return view(request, get_table_context(Actor.from_organiser(request.organiser), event, card_id))

    return opened


def _call_view(request: HttpRequest, card_context: CardContext, view: CardView) -> HttpResponse:
    """Call a view that only explains what is wrong. The pages where results are entered keep what was entered."""
    try:
        if request.method == "POST" and card_context.is_damaged:
            raise DamagedCard(card_context.card.id)
        return view(request, card_context)
    except DamagedCard:
        return render_changed(request, card_context, CARD_DAMAGED)
    except UnknownTarget:
        return render_changed(request, card_context, _("The organiser has just merged bikes or changed the turns."))
