"""Pages on which an organiser chooses what is ticked for each bike."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.check_in.forms.check_items import PRESETS, CheckItemForm
from scorekeeper.check_in.selectors import list_items
from scorekeeper.check_in.services import check_items as services
from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.names import fold_name
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
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
def rename(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
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
            messages.success(request, _("“%(name)s” has been saved.") % {"name": name})
            editing.announce(request)
            return redirect("check_in:items", event.slug)
    context = {"event": event, "item": item, "form": form, "edit": editing}
    return render(request, "check_in/item.html", context, status=editing.status)


@organiser_required
def move(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
    """Move an item up or down by one."""
    services.move_item(get_object_or_404(list_items(event), pk=check_item_id), upwards=is_move_up(request))
    return redirect("check_in:items", event.slug)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, check_item_id: UUID) -> HttpResponse:
    """Delete an item for which nothing is ticked, after confirmation."""
    item = get_object_or_404(list_items(event), pk=check_item_id)
    if request.method == "POST":
        try:
            services.delete_item(item)
        except services.ItemInUse:
            text = _("“%(name)s” is ticked for a bike, so it cannot be deleted. Untick it everywhere first.")
            messages.error(request, text % {"name": item})
        else:
            messages.success(request, _("“%(name)s” has been deleted.") % {"name": item})
        return redirect("check_in:items", event.slug)
    return render(request, "check_in/delete_item.html", {"event": event, "item": item})
