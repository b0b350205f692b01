"""Pages on which an organiser manages groups."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.sent_once import sent_once
from scorekeeper.crew.forms import EditGroupForm, GroupForm
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups, list_groups_with_crew
from scorekeeper.crew.services import groups as services
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the groups with their crews, and add a group."""
    form = GroupForm(request.POST or None, instance=Group(event=event))
    if form.is_valid():
        group = services.add_group(event, form.cleaned_data["name"])
        messages.success(request, _("%(group)s has been added, with three dice sets.") % {"group": group})
        return redirect("crew:groups", event.slug)
    context = {"event": event, "form": form, "groups": list_groups_with_crew(event)}
    return render(request, "crew/groups.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, group_id: UUID) -> HttpResponse:
    """Rename a group and its dice sets."""
    group = list_groups(event).filter(pk=group_id).first()
    if group is None:
        back = reverse("crew:groups", args=[event.slug])
        return show_deleted(request, GroupForm(request.POST, instance=Group(event=event)), {"event": event}, back)
    editing = Edit(request, partial(EditGroupForm, instance=group))
    if editing.is_valid():
        services.rename_group(group, editing.form.cleaned_data["name"], editing.form.get_dice_sets())
        editing.announce(request, _("%(group)s has been changed.") % {"group": group})
        return redirect("crew:groups", event.slug)
    context = {"event": event, "group": group, "form": editing.form, "edit": editing}
    return render(request, "crew/group.html", context, status=editing.status)


@organiser_required
def move(request: OrganiserRequest, event: Event, group_id: UUID) -> HttpResponse:
    """Move a group up or down by one."""
    group = get_object_or_404(list_groups(event), pk=group_id)
    services.move_group(group, upwards=is_move_up(request))
    return redirect("crew:groups", event.slug)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, group_id: UUID) -> HttpResponse:
    """Delete a group that has neither bikes nor crew, after confirmation."""
    group = get_object_or_404(list_groups(event), pk=group_id)
    in_use = _("%(group)s has bikes or crew. Move them to another group first.")
    return Confirmation(
        event=event,
        tab="groups",
        title=_("Delete the group"),
        question=_("Delete %(group)s?") % {"group": group},
        explanation=_("You can delete a group only if it has no bikes and no crew. Its dice sets are deleted too."),
        done=_("%(group)s has been deleted.") % {"group": group},
        back=reverse("crew:groups", args=[event.slug]),
        refusals={services.GroupInUse: in_use % {"group": group}},
    ).answer(request, partial(services.delete_group, group))
