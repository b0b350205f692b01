"""Changing the classes of an event, and giving them to bikes and people before anything is recorded.

Invariants:
- A class keeps its id when it is renamed. A revision has the name that it was published with.
- Once anything is recorded, only an operation changes who is in a class (`standings.services.class_corrections`). What
  would change it by the way, such as another rider, is refused here.
- A class is not deleted while a prize is for it or, once anything is recorded, while it has members.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from scorekeeper.bikes.models import Bike
from scorekeeper.common.hooks import Hook
from scorekeeper.common.names import fold_name
from scorekeeper.common.ordering import move_by_one
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.class_members import are_classes_fixed, list_classes, read_effective_classes
from scorekeeper.players.models import ClassMember, EventClass, Player

MAX_CLASSES = 20

# Returns what keeps a class, such as its prizes, in a sentence for organisers; "" for nothing.
ExplainUse = Callable[[EventClass], str]
CLASS_USES = Hook[ExplainUse]()


class ClassExists(Exception):
    """The event has a class with a name that is the same to people."""


class TooManyClasses(Exception):
    """The event has `MAX_CLASSES` classes."""


class ClassInUse(Exception):
    """The class cannot be deleted. The message says why, and how to go on; "" if it is because of its members."""


class ClassesFixed(Exception):
    """Something is recorded, so only an operation can change who is in a class."""


@transaction.atomic
def add_class(event: Event, name: str, note: str = "") -> EventClass:
    """Return a new class, the last in order.

    Raises:
        ClassExists: there is one with the name.
        TooManyClasses: the event has as many as it can have.
    """
    lock_event(event)
    classes = list(list_classes(event))
    if len(classes) >= MAX_CLASSES:
        raise TooManyClasses
    _check_name(event, name)
    last = event.classes.aggregate(last=Max("ordinal"))["last"] or 0
    return EventClass.objects.create(event=event, name=name, note=note, ordinal=last + 1)


@transaction.atomic
def change_class(event_class: EventClass, name: str, note: str) -> None:
    """Change the name and the note of a class.

    Raises:
        ClassExists: another class has the name.
    """
    lock_event(event_class.event)
    _check_name(event_class.event, name, event_class)
    event_class.name, event_class.note = name, note
    event_class.save(update_fields=["name", "note"])


def _check_name(event: Event, name: str, own: EventClass | None = None) -> None:
    if any(fold_name(other.name) == fold_name(name) for other in list_classes(event) if other != own):
        raise ClassExists


@transaction.atomic
def move_class(event_class: EventClass, *, upwards: bool) -> None:
    """Swap the class with its neighbour; at the end of the list nothing changes."""
    lock_event(event_class.event)
    move_by_one(list_classes(event_class.event), event_class, upwards=upwards)


@transaction.atomic
def delete_class(event_class: EventClass) -> None:
    """Delete a class. Before anything is recorded, its members just do not have it any more.

    Raises:
        ClassInUse: a prize is for it, or it has members and something is recorded.
    """
    _lock(event_class.event)
    if why := next((text for explain in CLASS_USES if (text := explain(event_class))), ""):
        raise ClassInUse(why)
    if event_class.members.exists() and are_classes_fixed(event_class.event):
        raise ClassInUse("")
    event_class.delete()


@transaction.atomic
def give_classes(subject: Bike | Player, class_ids: Collection[UUID]) -> None:
    """Make these the own classes of a bike or a person; those of other events are ignored.

    Raises:
        ClassesFixed: that is a change, and something is recorded.
    """
    column = "bike" if isinstance(subject, Bike) else "player"
    mine = ClassMember.objects.filter(**{column: subject})
    before = set(mine.values_list("event_class_id", flat=True))
    wanted = set(EventClass.objects.filter(event=subject.event_id, pk__in=class_ids).values_list("pk", flat=True))
    if before == wanted:
        return
    _lock(subject.event)
    if are_classes_fixed(subject.event):
        raise ClassesFixed
    write_classes(column, subject.pk, before, wanted)


def write_classes(column: str, subject_id: UUID, before: Collection[UUID], wanted: Collection[UUID]) -> None:
    """Store the own classes of a bike or a person.

    Args:
        column: "bike" or "player".
        before: those that are stored.
    """
    mine = ClassMember.objects.filter(**{f"{column}_id": subject_id})
    mine.filter(event_class__in=set(before) - set(wanted)).delete()
    ClassMember.objects.bulk_create(
        [ClassMember(event_class_id=pk, **{f"{column}_id": subject_id}) for pk in sorted(set(wanted) - set(before))]
    )


@contextmanager
def keep_classes(event: Event) -> Iterator[None]:
    """Refuse what is done inside if it changes the classes of a bike or a person, and something is recorded.

    Only classes of people can change by the way: a bike without people of any class costs one statement.

    Raises:
        ClassesFixed: it would. The caller's transaction has to be rolled back.
    """
    if not ClassMember.objects.filter(event_class__event=event).exists() or not are_classes_fixed(event):
        yield
        return
    before, known = read_effective_classes(event.pk), _list_subjects(event)
    yield
    after = read_effective_classes(event.pk)
    # Who is not on the roster any more was in no ranking, and who is new has no class to correct.
    if any(before.get(pk) != after.get(pk) for pk in known & _list_subjects(event)):
        raise ClassesFixed


def _list_subjects(event: Event) -> set[UUID]:
    bikes, people = (model.objects.filter(event=event).values_list("pk", flat=True) for model in (Bike, Player))
    return {*bikes, *people}


def _lock(event: Event) -> None:
    """Block the first scorecard of the event, which locks its contest, until the end of the transaction."""
    lock_event(event)
    list(event.contests.select_for_update(no_key=True).order_by("pk"))
