"""The roster: groups, their bikes and the people on them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player


class GroupRoster(NamedTuple):
    """A group and its bikes with their people; `group` is None for bikes without a group."""

    group: Group | None
    bikes: list[Bike]


def list_bikes_with_people(event: Event) -> QuerySet[Bike]:
    """Return the event's bikes by number, with their group, and `players` prefetched."""
    return list_bikes(event).prefetch_related("players")


def list_roster(event: Event) -> list[GroupRoster]:
    """Return every group with its bikes; bikes without a group come last, if there are any."""
    rosters = {group.pk: GroupRoster(group, []) for group in list_groups(event)}
    without = GroupRoster(None, [])
    for bike in list_bikes_with_people(event):
        (rosters[bike.group_id] if bike.group_id else without).bikes.append(bike)
    return [*rosters.values(), *([without] if without.bikes else [])]


def list_people_without_bike(event: Event) -> QuerySet[Player]:
    """Return the people without a bike, by name."""
    return event.players.filter(bike=None).order_by("name")


def get_rider(bike: Bike) -> str:
    """Return the rider's name; "" if there is no rider."""
    return next((player.name for player in bike.players.all() if player.role == Player.Role.RIDER), "")


def list_passengers(bike: Bike) -> tuple[str, ...]:
    """Return the names of everyone on the bike but the rider."""
    rider = next((player.pk for player in bike.players.all() if player.role == Player.Role.RIDER), None)
    return tuple(player.name for player in bike.players.all() if player.pk != rider)
