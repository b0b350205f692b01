"""The organiser's pages of the classes of an event: naming them, their order, and deleting one."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.names import fold_name
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.players import class_settings
from scorekeeper.players.class_members import are_classes_fixed, list_classes
from scorekeeper.players.forms import CLASS_PRESETS, ClassForm


@sent_once
@organiser_required
def show_classes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the classes in order with how many bikes and people each has, and add one."""
    form = ClassForm(request.POST or None)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            class_settings.add_class(event, name, form.cleaned_data["note"])
        except class_settings.ClassExists:
            form.add_error("name", _explain_existing(name))
        except class_settings.TooManyClasses:
            text = _("The list is full: an event can have %(most)s classes. Delete one first.")
            form.add_error(None, text % {"most": class_settings.MAX_CLASSES})
        else:
            messages.success(request, _("“%(name)s” has been added.") % {"name": name})
            return redirect("players:classes", event.slug)
    counted = list_classes(event).annotate(bikes=Count("members__bike"), people=Count("members__player"))
    classes = list(counted)
    names = {fold_name(one.name) for one in classes}
    context = {
        "event": event,
        "form": form,
        "classes": classes,
        "presets": [preset for preset in CLASS_PRESETS if fold_name(str(preset)) not in names],
        "are_fixed": are_classes_fixed(event),
    }
    return render(request, "players/classes.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit_class(request: OrganiserRequest, event: Event, class_id: UUID) -> HttpResponse:
    """Rename a class, or delete it from there."""
    event_class = list_classes(event).filter(pk=class_id).first()
    if event_class is None:
        back = reverse("players:classes", args=[event.slug])
        return show_deleted(request, ClassForm(request.POST), {"event": event}, back)
    initial = {"name": event_class.name, "note": event_class.note}
    editing = Edit(request, partial(ClassForm, initial=initial))
    form = editing.form
    if editing.is_valid():
        name = form.cleaned_data["name"]
        try:
            class_settings.change_class(event_class, name, form.cleaned_data["note"])
        except class_settings.ClassExists:
            form.add_error("name", _explain_existing(name))
        else:
            editing.announce(request, _("“%(name)s” has been saved.") % {"name": name})
            return redirect("players:classes", event.slug)
    context = {"event": event, "class": event_class, "form": form, "edit": editing}
    return render(request, "players/class.html", context, status=editing.status)


@organiser_required
def move_class(request: OrganiserRequest, event: Event, class_id: UUID) -> HttpResponse:
    """Move a class up or down by one."""
    class_settings.move_class(get_object_or_404(list_classes(event), pk=class_id), upwards=is_move_up(request))
    return redirect("players:classes", event.slug)


@organiser_required
@one_edit_at_a_time
def delete_class(request: OrganiserRequest, event: Event, class_id: UUID) -> HttpResponse:
    """Delete a class, after confirmation."""
    event_class = get_object_or_404(list_classes(event), pk=class_id)
    members = event_class.members.count()
    explanation = _("It has no bikes and nobody is in it.")
    if members:
        text = ngettext(
            "%(count)s bike or person is in it. They stay on the roster.",
            "%(count)s bikes and people are in it. They stay on the roster.",
            members,
        )
        explanation = text % {"count": members}
    back = reverse("players:edit_class", args=[event.slug, event_class.pk])

    def delete() -> None:
        class_settings.delete_class(event_class)

    page = Confirmation(
        event=event,
        tab="classes",
        title=_("Delete a class"),
        question=_("Delete “%(name)s”?") % {"name": event_class},
        explanation=explanation,
        button=_("Delete this class"),
        done=_("“%(name)s” has been deleted.") % {"name": event_class},
        back=back,
        next_url=reverse("players:classes", args=[event.slug]),
    )
    try:
        return page.answer(request, delete)
    except class_settings.ClassInUse as error:
        text = _(
            "“%(name)s” still has members, and something is recorded already, so who is in it counts. Take everyone "
            "out of it first, with a reason. Then delete it."
        )
        messages.error(request, str(error) or text % {"name": event_class})
        return redirect(back)


def _explain_existing(name: str) -> str:
    return _("There is already a class called “%(name)s”. Choose another name, or change that one.") % {"name": name}
