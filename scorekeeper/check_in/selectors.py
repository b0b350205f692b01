"""Database reads of the check-in list: what is ticked for which bike, and how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.check_in.access import can_check_all
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_members import NONE, list_classes, read_effective_classes
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_riders


@dataclass(frozen=True, slots=True)
class CheckBox:
    """An item of one bike."""

    item: CheckItem
    is_checked: bool


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """A bike with its boxes, in the order of the items.

    Attributes:
        classes: the names of the classes in which the bike is ranked, in order.
    """

    bike: Bike
    riders: str
    classes: str
    boxes: Sequence[CheckBox]


@dataclass(frozen=True, slots=True)
class ItemCount:
    """For how many of the listed bikes an item is ticked."""

    item: CheckItem
    checked: int
    total: int


@dataclass(frozen=True)
class CheckInList:
    """The bikes of a list by number, and the counts of its items.

    Attributes:
        has_classes: whether bikes of the event can be in classes.
    """

    items: Sequence[CheckItem]
    rows: Sequence[CheckInRow]
    has_classes: bool = False

    @property
    def counts(self) -> list[ItemCount]:
        """The count of each item, in their order."""
        return [
            ItemCount(item, sum(row.boxes[index].is_checked for row in self.rows), len(self.rows))
            for index, item in enumerate(self.items)
        ]


def list_items(event: Event) -> QuerySet[CheckItem]:
    """Return what is ticked for each bike, in order."""
    return event.check_items.order_by("ordinal", "name")


def list_own_bikes(actor: Actor, event: Event) -> QuerySet[Bike]:
    """Return the bikes that the actor may check in."""
    bikes = list_bikes(event)
    return bikes if can_check_all(actor) else bikes.filter(Q(group=actor.group_id) | Q(group=None))


def search_bikes(bikes: QuerySet[Bike], text: str) -> QuerySet[Bike]:
    """Return the bikes with this number, or with someone on them whose name contains the text."""
    if not text:
        return bikes
    named = Player.objects.filter(name__icontains=text, bike__in=bikes.order_by().values("pk")).values("bike")
    is_found = Q(pk__in=named)
    if text.isascii() and text.isdigit() and len(text) <= 5:
        is_found |= Q(number=int(text))
    return bikes.filter(is_found)


def get_check_in_list(event: Event, bikes: QuerySet[Bike]) -> CheckInList:
    """Return the list of these bikes, in a fixed number of statements."""
    items = list(list_items(event))
    people = Prefetch("players", Player.objects.order_by("-role", "name"))
    found = list(bikes.prefetch_related(people))
    checked = _list_checked(event, [bike.pk for bike in found])
    names = dict(list_classes(event).values_list("pk", "name"))
    classes = read_effective_classes(event.pk) if names else {}
    rows = [
        CheckInRow(
            bike,
            format_riders(bike),
            ", ".join(name for pk, name in names.items() if pk in classes.get(bike.pk, NONE)),
            [CheckBox(item, item.pk in checked[bike.pk]) for item in items],
        )
        for bike in found
    ]
    return CheckInList(items, rows, has_classes=bool(names))


def _list_checked(event: Event, bike_ids: Sequence[UUID]) -> Mapping[UUID, set[UUID]]:
    """Return the items that are ticked, by bike. What is ticked for an alias counts for the bike it was merged into."""
    wanted = set(bike_ids)
    checked: dict[UUID, set[UUID]] = defaultdict(set)
    rows = BikeCheck.objects.filter(item__event=event).values_list("item_id", "bike_id", "bike__merged_into_id")
    for item_id, bike_id, merged_into in rows:
        entrant = merged_into or bike_id
        if entrant in wanted:
            checked[entrant].add(item_id)
    return checked
