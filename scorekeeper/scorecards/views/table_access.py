"""Access to the pages of a table, for any phone of the event's crew and for organisers.

The views get a `TableContext` and need not know who opened the page. A table of another event is not found (404).
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.views.entered_action import list_entered_values
from scorekeeper.scorecards.views.preserved_input import preserve_input_from
from scorekeeper.scorecards.views.table_context import TableContext, get_table_context

TableView = Callable[[HttpRequest, TableContext], HttpResponse]


def crew_table_view(view: TableView) -> Callable[..., HttpResponse]:
    """Give every phone of the event's crew access to a page; one that was signed out gets its input back."""

    @crew_required
    def opened(request: CrewRequest, card_id: UUID) -> HttpResponse:
        table_context = get_table_context(Actor.from_device(request.device), request.device.member.group.event, card_id)
        return view(request, table_context)

    return preserve_input_from(opened, list_entered_values)


def desk_table_view(view: TableView) -> Callable[..., HttpResponse]:
    """Give the organisers of the table's event access to a page."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
        return view(request, get_table_context(Actor.from_organiser(request.organiser), event, card_id))

    return opened
