"""Who is in which class: for one class, for one bike or person, and what was corrected once anything is recorded.

Before that, the same pages change settings. They stay the same, so that nobody has to know which of the two it is: once
a reason is needed, they ask for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.common.request_data import get_next_url
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.players.class_members import are_classes_fixed, list_classes, read_own_classes
from scorekeeper.players.class_settings import ClassesFixed, give_classes
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_entrant, format_riders, list_bikes_with_people
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.standings.forms import OwnClassesForm, WhoIsInClassForm
from scorekeeper.standings.selectors.class_history import list_class_corrections
from scorekeeper.standings.services.class_corrections import ClassesChanged, correct_classes

ROWS_PER_PAGE = 300  # a form can have 1,200 fields
CONFLICT = 409


class ClassMemberRow(NamedTuple):
    """A bike or a person that can be in a class.

    Attributes:
        column: "bike" or "player".
        name: of the bike with its riders, or of the person.
        bike: on which a person is; "" for a bike, and for a person without one.
        others: the names of the other classes that it has.
    """

    column: str
    id: UUID
    name: str
    bike: str
    others: str

    @property
    def key(self) -> str:
        """The value of its box."""
        return f"{self.column}.{self.id}"


@organiser_required
def edit_members(request: OrganiserRequest, event: Event, class_id: UUID) -> HttpResponse:
    """Tick who is in a class, for many bikes and people at once. `?page=` shows more of a long roster."""
    event_class = get_object_or_404(list_classes(event), pk=class_id)
    own = read_own_classes(event.pk)
    page: Page[ClassMemberRow] = Paginator(_list_rows(event, class_id), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    members = [row.key for row in page if class_id in own.get(row.id, ())]
    is_fixed = are_classes_fixed(event)
    form = WhoIsInClassForm(
        request.POST or None, rows=[(row.key, row.name) for row in page], members=members, is_fixed=is_fixed
    )
    status = 422 if form.is_bound else 200
    if form.is_valid():
        changes = []
        for column, subject_id, is_in in form.changes:
            before = own.get(subject_id, frozenset())
            changes.append(
                ClassChange(column, subject_id, before, before | {class_id} if is_in else before - {class_id})
            )
        problem = _save(request, event, form, [change for change in changes if change.before != change.after])
        if not problem:
            messages.success(request, _("Who is in “%(name)s” has been saved.") % {"name": event_class})
            return redirect(f"{reverse('desk:class_members', args=[event.slug, class_id])}?page={page.number}")
        form.add_error(None, problem)
        status = CONFLICT
    ticked = set(request.POST.getlist("members") if form.is_bound else members)
    context = {
        "event": event,
        "class": event_class,
        "form": form,
        "page": page,
        "rows": [(row, row.key in ticked) for row in page],
        "is_fixed": is_fixed,
    }
    return render(request, "standings/class_members.html", context, status=status)


def _list_rows(event: Event, class_id: UUID) -> list[ClassMemberRow]:
    """Return the bikes by number, then all people by bike and name."""
    own, names = read_own_classes(event.pk), {one.pk: one.name for one in list_classes(event)}

    def name_others(subject_id: UUID) -> str:
        given = own.get(subject_id, frozenset())
        return ", ".join(name for pk, name in names.items() if pk in given and pk != class_id)

    bikes = list(list_bikes_with_people(event))
    found = [
        ClassMemberRow("bike", bike.pk, format_entrant(bike.label, format_riders(bike)), "", name_others(bike.pk))
        for bike in bikes
    ]
    people = [(player, bike.label) for bike in bikes for player in bike.players.all()]
    people += [(player, "") for player in event.players.filter(bike=None).order_by("name", "pk")]
    return [
        *found,
        *(ClassMemberRow("player", player.pk, player.name, bike, name_others(player.pk)) for player, bike in people),
    ]


@organiser_required
def edit_bike_classes(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Change the classes of a bike. `?next=` is the page to return to."""
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    name = format_entrant(bike.label, format_riders(bike))
    return _edit_own(request, event, bike, name, reverse("players:edit_bike", args=[event.slug, bike.pk]))


@organiser_required
def edit_person_classes(request: OrganiserRequest, event: Event, player_id: UUID) -> HttpResponse:
    """Change the classes of a person."""
    player = get_object_or_404(event.players, pk=player_id)
    return _edit_own(request, event, player, player.name, reverse("players:edit_player", args=[event.slug, player.pk]))


def _edit_own(request: OrganiserRequest, event: Event, subject: Bike | Player, name: str, back: str) -> HttpResponse:
    back = get_next_url(request, back)
    own = read_own_classes(event.pk).get(subject.pk, frozenset())
    is_fixed = are_classes_fixed(event)
    classes = [(str(one.pk), one.name) for one in list_classes(event)]
    form = OwnClassesForm(request.POST or None, classes=classes, own=own, is_fixed=is_fixed)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        column = "bike" if isinstance(subject, Bike) else "player"
        change = ClassChange(column, subject.pk, form.before, frozenset(form.cleaned_data["classes"]))
        problem = _save(request, event, form, [change] if change.before != change.after else [])
        if not problem:
            messages.success(request, _("The classes of %(name)s have been saved.") % {"name": name})
            return redirect(back)
        form.add_error(None, problem)
        status = CONFLICT
    context = {"event": event, "name": name, "form": form, "back": back, "is_fixed": is_fixed}
    return render(request, "standings/own_classes.html", context, status=status)


def _save(
    request: OrganiserRequest, event: Event, form: WhoIsInClassForm | OwnClassesForm, changes: Sequence[ClassChange]
) -> str:
    """Store the changes, or record them once anything is recorded. Return what is wrong; "" if nothing is."""
    if not changes:
        return ""
    try:
        if "reason" not in form.fields:
            _store(event, changes)
            return ""
        actor = Actor.from_organiser(request.organiser)
        correct_classes(actor, form.cleaned_data["operation"], changes, form.cleaned_data["reason"])
    except ClassesFixed:
        return _("Something has just been recorded, so this needs a reason now. Open the page again.")
    except IdReused:
        return _("This page was already submitted. Open it again.")
    except ClassesChanged:
        return _("Someone else has just changed these classes. Open the page again, then choose.")
    return ""


@transaction.atomic
def _store(event: Event, changes: Sequence[ClassChange]) -> None:
    for change in changes:
        model = Bike if change.column == "bike" else Player
        subject = model.objects.filter(pk=change.subject_id, event=event).first()
        if subject is None or read_own_classes(event.pk).get(subject.pk, frozenset()) != change.before:
            raise ClassesChanged
        give_classes(subject, change.after)


@organiser_required
def show_corrections(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List what was corrected about who is in which class."""
    corrections = list_class_corrections(event)
    text = ngettext("%(count)s correction", "%(count)s corrections", len(corrections)) % {"count": len(corrections)}
    context = {"event": event, "corrections": corrections, "count": text}
    return render(request, "standings/class_corrections.html", context)
