"""The check-in of bikes, and the settings of its items."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.check_in import services
from scorekeeper.check_in.access import can_check_all
from scorekeeper.check_in.forms import PRESETS, CheckItemForm, Tick
from scorekeeper.check_in.selectors import CheckInList, get_check_in_list, list_items, list_own_bikes, search_bikes
from scorekeeper.check_in.services import check_bike
from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.names import fold_name
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.partial_pages import is_partial_request, render_partial
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.sent_once import sent_once
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused, RecordingError

CONFLICT = 409
CREW_PAGE, DESK_PAGE, LIST, BOX = (
    "check_in/crew_list.html",
    "check_in/desk_list.html",
    "check_in/_list.html",
    "check_in/_box_response.html",
)
NO_GROUP = "none"


@crew_required
def crew_list(request: CrewRequest) -> HttpResponse:
    """Show the bikes that the crew member may check in, and tick one box of them."""
    event, actor = request.device.member.group.event, Actor.from_device(request.device)
    bikes = list_own_bikes(actor, event)
    more = {"group": request.device.member.group, "has_all_groups": can_check_all(actor)}
    return _handle_check_in(request, actor, event, bikes, CREW_PAGE, more, may_tick=event.is_open)


@organiser_required
def desk_list(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the bikes of the event, and tick one box of them."""
    actor = Actor.from_organiser(request.organiser)
    return _handle_check_in(
        request, actor, event, list_bikes(event), DESK_PAGE, {"event_slug": event.slug}, may_tick=True
    )


def _handle_check_in(
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
    return _("The organiser has not opened the event yet, so nothing can be recorded.")


def _filter_by_group(bikes: QuerySet[Bike], chosen: str, groups: list[Group]) -> QuerySet[Bike]:
    """Return the bikes of the chosen group; all if none is chosen."""
    if chosen == NO_GROUP:
        return bikes.filter(group=None)
    group_id: UUID | None = parse_uuid(chosen)
    return bikes.filter(group=group_id) if any(group.pk == group_id for group in groups) else bikes


@sent_once
@organiser_required
def show_items(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the items in order, and add one: of the presets, or in the club's own words."""
    form = CheckItemForm(request.POST or None)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            services.add_item(event, name)
        except services.ItemExists:
            form.add_error("name", _("“%(name)s” is already on the list.") % {"name": name})
        except services.TooManyItems:
            text = _("The list is full: it can have %(most)s items. Delete one first.")
            form.add_error(None, text % {"most": services.MAX_ITEMS})
        else:
            messages.success(request, _("“%(name)s” has been added.") % {"name": name})
            return redirect("check_in:items", event.slug)
    items = list(list_items(event))
    names = {fold_name(item.name) for item in items}
    context = {
        "event": event,
        "form": form,
        "items": items,
        "presets": [preset for preset in PRESETS if fold_name(str(preset)) not in names],
    }
    return render(request, "check_in/items.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def rename_item(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
    """Rename an item, or delete it from there."""
    item = list_items(event).filter(pk=check_item_id).first()
    if item is None:
        back = reverse("check_in:items", args=[event.slug])
        return show_deleted(request, CheckItemForm(request.POST), {"event": event}, back)
    editing = Edit(request, partial(CheckItemForm, initial={"name": item.name}))
    form = editing.form
    if editing.is_valid():
        name = form.cleaned_data["name"]
        try:
            services.rename_item(item, name)
        except services.ItemExists:
            form.add_error("name", _("“%(name)s” is already on the list.") % {"name": name})
        else:
            editing.announce(request, _("“%(name)s” has been saved.") % {"name": name})
            return redirect("check_in:items", event.slug)
    context = {"event": event, "item": item, "form": form, "edit": editing}
    return render(request, "check_in/item.html", context, status=editing.status)


@organiser_required
def move_item(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
    """Move an item up or down by one."""
    services.move_item(get_object_or_404(list_items(event), pk=check_item_id), upwards=is_move_up(request))
    return redirect("check_in:items", event.slug)


@organiser_required
@one_edit_at_a_time
def delete_item(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
    """Delete an item for which nothing is ticked, after confirmation."""
    item = get_object_or_404(list_items(event), pk=check_item_id)
    in_use = _("“%(name)s” is ticked for a bike, so it cannot be deleted. Untick it everywhere first.")
    return Confirmation(
        event=event,
        tab="check_in",
        title=_("Delete an item"),
        question=_("Delete “%(name)s”?") % {"name": item},
        explanation=_(
            "It disappears from the list and from the crew’s phones. That is only possible while it is ticked for no "
            "bike."
        ),
        button=_("Delete this item"),
        done=_("“%(name)s” has been deleted.") % {"name": item},
        back=reverse("check_in:items", args=[event.slug]),
        refusals={services.ItemInUse: in_use % {"name": item}},
    ).answer(request, partial(services.delete_item, item))
