"""The two doors to a table: any phone of the event's crew, and the organiser's desk.

A page behind them gets its `Place` and need not know which door was used. From another event there is no table (404).
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.views.signed_out import keep_what_was_typed
from scorekeeper.tables.views.places import Place, open_place
from scorekeeper.tables.views.signed_out import list_tapped

TableView = Callable[[HttpRequest, Place], HttpResponse]


def for_crew(view: TableView) -> Callable[..., HttpResponse]:
    """Open a page to every phone of the event's crew; one that was signed out gets back what was tapped."""

    @crew_required
    def opened(request: CrewRequest, card_id: UUID) -> HttpResponse:
        place = open_place(Actor.of_device(request.device), request.device.member.group.event, card_id)
        return view(request, place)

    return keep_what_was_typed(opened, list_tapped)


def for_desk(view: TableView) -> Callable[..., HttpResponse]:
    """Open a page to the organisers of the table's event."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        return view(request, open_place(Actor.of_organiser(request.organiser), event, card_id))

    return opened
