"""The check-in list: for organisers all bikes, for crew those they may open. One tap ticks a box or unticks it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.check_in.access import can_check_all
from scorekeeper.check_in.forms.check_items import Tick
from scorekeeper.check_in.selectors import CheckInList, get_check_in_list, list_own_bikes, search_bikes
from scorekeeper.check_in.services.checks import check_bike
from scorekeeper.common.partial_pages import is_partial_request, render_partial
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused, RecordingError

CREW_PAGE, DESK_PAGE, LIST, BOX = (
    "check_in/crew_list.html",
    "check_in/desk_list.html",
    "check_in/_list.html",
    "check_in/_box_response.html",
)
NO_GROUP = "none"
CONFLICT = 409


@crew_required
def crew_list(request: CrewRequest) -> HttpResponse:
    """Show the bikes that the crew member may check in, and tick one box of them."""
    event, actor = request.device.member.group.event, Actor.from_device(request.device)
    bikes = list_own_bikes(actor, event)
    more = {"group": request.device.member.group, "has_all_groups": can_check_all(actor)}
    return _answer(request, actor, event, bikes, CREW_PAGE, more, may_tick=event.is_open)


@organiser_required
def desk_list(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the bikes of the event, and tick one box of them."""
    actor = Actor.from_organiser(request.organiser)
    return _answer(request, actor, event, list_bikes(event), DESK_PAGE, {"event_slug": event.slug}, may_tick=True)


def _answer(
    request: HttpRequest,
    actor: Actor,
    event: Event,
    bikes: QuerySet[Bike],
    page: str,
    more: dict[str, Any],
    *,
    may_tick: bool,
) -> HttpResponse:
    searched, group = request.GET.get("q", "").strip()[:80], request.GET.get("group", "")
    groups = list(list_groups(event))
    query = urlencode({name: value for name, value in (("q", searched), ("group", group)) if value})
    found = _filter_by_group(search_bikes(bikes, searched), group, groups)
    problem, status = "", 200
    if request.method == "POST":
        tick = Tick.parse(request.POST)
        problem, status = _record(actor, tick) if may_tick else (_get_closed_message(), 422)
        if not problem and is_partial_request(request):
            return _render_box(request, get_check_in_list(event, found), tick, query)
        if not is_partial_request(request):
            if problem:
                messages.error(request, problem)
            return redirect(f"{request.path}?{query}#bike-{tick.bike_id}")
    check_in = get_check_in_list(event, found)
    context = {
        "event": event,
        "check_in": check_in,
        "rows": [(row, [(box, uuid4()) for box in row.boxes]) for row in check_in.rows],
        "groups": groups,
        "chosen_group": group,
        "without_group": NO_GROUP,
        "searched": searched,
        "query": query,
        "problem": problem,
        "may_tick": may_tick,
        "may_mark": actor.can_record("did_not_start"),
        "here_url": f"{request.path}?{query}" if query else request.path,
        **more,
    }
    response = render_partial(request, page, LIST, context, status)
    if problem:
        # The tap was on one box, and the whole list is out of date.
        response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#check-in", "outerHTML"
    return response


def _record(actor: Actor, tick: Tick) -> tuple[str, int]:
    """Record a tap. Return the message if that was not possible, and the status."""
    try:
        check_bike(actor, tick.operation_id, tick.bike_id, tick.item_id, is_checked=tick.is_checked)
    except IdReused:
        return _("This page is out of date. The list has been refreshed: tap again."), CONFLICT
    except RecordingError:
        return _("This bike is not on your list. Its own crew, or the organiser, can check it in."), CONFLICT
    return "", 200


def _render_box(request: HttpRequest, check_in: CheckInList, tick: Tick, query: str) -> HttpResponse:
    """Return the box as it is now, and the counts."""
    boxes = [(row, box) for row in check_in.rows if row.bike.pk == tick.bike_id for box in row.boxes]
    row, box = next(((row, box) for row, box in boxes if box.item.pk == tick.item_id), (None, None))
    context = {"row": row, "box": box, "operation": uuid4(), "check_in": check_in, "query": query}
    return render_partial(request, BOX, BOX, context)


def _get_closed_message() -> str:
    return _("The organiser has not opened the ride yet, so nothing can be recorded.")


def _filter_by_group(bikes: QuerySet[Bike], chosen: str, groups: list[Group]) -> QuerySet[Bike]:
    """Return the bikes of the chosen group; all if none is chosen."""
    if chosen == NO_GROUP:
        return bikes.filter(group=None)
    group_id: UUID | None = parse_uuid(chosen)
    return bikes.filter(group=group_id) if any(group.pk == group_id for group in groups) else bikes
