"""Reads the classes of an event, and who is in them.

Terms: the *own* classes of a bike or a person are those that it was given. Its *effective* classes are those in which
it is ranked: a bike also has those of its rider, and a rider those of the bike. The *members* of a class in a contest
are the bikes, further sheets or players whose scorecards are in it.

- A further sheet has the classes of its bike. It also has those of the person whose scorecard it is or, where no single
  person's it is, of the rider.
- Ids only: names of classes are those of the rows, or of the revision that is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import has_begun
from scorekeeper.events.sheet_setting import get_holder_index
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.players.selectors import Holder, sort_holders

Classes = Mapping[UUID, frozenset[UUID]]
NONE: frozenset[UUID] = frozenset()


class ContestClass(NamedTuple):
    """A class with its members in a contest, in the order of their ids."""

    id: UUID
    name: str
    members: tuple[UUID, ...]


def list_classes(event: Event) -> QuerySet[EventClass]:
    """Return the classes of an event in order."""
    return event.classes.order_by("ordinal", "name", "pk")


def are_classes_fixed(event: Event) -> bool:
    """Return whether only an operation can change the classes of bikes and people: once anything is recorded."""
    return has_begun(event)


def read_own_classes(event_id: UUID) -> Classes:
    """Return the own classes of each bike and person that has any, in one statement."""
    found: dict[UUID, set[UUID]] = {}
    rows = ClassMember.objects.filter(event_class__event=event_id)
    for class_id, bike_id, player_id in rows.values_list("event_class_id", "bike_id", "player_id"):
        found.setdefault(bike_id or player_id, set()).add(class_id)
    return {subject: frozenset(classes) for subject, classes in found.items()}


def read_named_classes(event: Event) -> Mapping[UUID, Sequence[EventClass]]:
    """Return the own classes of each bike and person that has any, in order; one statement if there are no classes."""
    classes = list(list_classes(event))
    own = read_own_classes(event.pk) if classes else {}
    return {subject: [one for one in classes if one.pk in given] for subject, given in own.items()}


def list_contest_classes(contest: Contest) -> Sequence[ContestClass]:
    """Return the classes of an event that have members in a contest, in order; one statement if it has none."""
    names = dict(
        EventClass.objects.filter(event=contest.event_id).order_by("ordinal", "name").values_list("pk", "name")
    )
    members = list_class_members(contest) if names else {}
    return [ContestClass(pk, name, members[pk]) for pk, name in names.items() if pk in members]


def list_class_members(contest: Contest) -> Mapping[UUID, tuple[UUID, ...]]:
    """Return the members of each class that has any in a contest, by the class's id."""
    members: dict[UUID, list[UUID]] = {}
    own = read_own_classes(contest.event_id)
    if own:
        for entrant, classes in _read_entrant_classes(contest, own).items():
            for class_id in classes:
                members.setdefault(class_id, []).append(entrant)
    return {class_id: tuple(sorted(entrants)) for class_id, entrants in members.items()}


def _read_entrant_classes(contest: Contest, own: Classes) -> Classes:
    people = _read_people(contest.event_id)
    if contest.seats_are != Contest.SeatsAre.BIKES:
        return _get_people_classes(people, own)
    found = {}
    for pk, sheet_of, number in list_sheets(contest).values_list("pk", "sheet_of", "sheet"):
        bike = sheet_of or pk
        holder = _find_holder(contest, number, people.get(bike, ()))
        found[pk] = own.get(bike, NONE) | (NONE if holder is None else own.get(holder.id, NONE))
    return found


def _find_holder(contest: Contest, sheet: int, people: Sequence[Holder]) -> Holder | None:
    """Return the one person whose scorecard it is: who holds it, or else the rider."""
    index = get_holder_index(contest, sheet)
    return _find_rider(people) if index is None or index >= len(people) else people[index]


def _find_rider(people: Iterable[Holder]) -> Holder | None:
    return next((one for one in people if one.role == Player.Role.RIDER), None)


def _read_people(event_id: UUID) -> Mapping[UUID | None, list[Holder]]:
    """Return the people on each bike, the rider first; those without a bike under None."""
    people: dict[UUID | None, list[Holder]] = {}
    rows = Player.objects.filter(event=event_id)
    # By the bike as it is now: people of a bike that was merged into another have gone with it.
    for bike_id, pk, role in rows.values_list("bike_id", "pk", "role"):
        people.setdefault(bike_id, []).append(Holder(pk, role, ""))
    return {bike: sort_holders(found) for bike, found in people.items()}


def _get_people_classes(people: Mapping[UUID | None, Sequence[Holder]], own: Classes) -> Classes:
    found = {}
    for bike, on_it in people.items():
        rider = None if bike is None else _find_rider(on_it)
        for one in on_it:
            of_bike = own.get(bike, NONE) if bike is not None and one == rider else NONE
            found[one.id] = own.get(one.id, NONE) | of_bike
    return found


def read_effective_classes(event_id: UUID) -> Classes:
    """Return the effective classes of every bike and person that has any, apart from who holds which further sheet."""
    own = read_own_classes(event_id)
    if not own:
        return {}
    people = _read_people(event_id)
    found = dict(_get_people_classes(people, own))
    for bike in {*people, *own} - {None} - found.keys():
        rider = _find_rider(people.get(bike, ()))
        assert bike is not None, "left out above"
        found[bike] = own.get(bike, NONE) | (NONE if rider is None else own.get(rider.id, NONE))
    return {subject: classes for subject, classes in found.items() if classes}
