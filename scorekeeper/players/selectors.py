"""Reads the roster and its sign-ups, and how people are named for whom.

Invariant: public pages get names only from this module. The organiser decides how they are shown
(`Event.people_shown`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player, SignUp

MAX_DECIDED = 100  # shown below those that need a decision


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


def get_sign_up_event(slug: str) -> Event | None:
    """Return an event whose organiser has opened sign-up, also a draft; None if there is none at this address."""
    events = Event.objects.filter(is_sign_up_open=True, is_practice=False, archived_at=None)
    return events.filter(slug=slug).first()


def list_pending_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the sign-ups that need a decision, the oldest first."""
    return event.sign_ups.filter(decision="").order_by("created_at", "pk")


def list_decided_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the last sign-ups that were decided, the latest first."""
    decided = event.sign_ups.exclude(decision="").select_related("bike")
    return decided.order_by("-decided_at", "pk")[:MAX_DECIDED]


def count_pending_sign_ups(event: Event) -> int:
    """Return how many sign-ups need a decision."""
    return event.sign_ups.filter(decision="").count()


def get_sign_up(event: Event, sign_up_id: UUID) -> SignUp | None:
    """Return a sign-up of the event."""
    return event.sign_ups.filter(pk=sign_up_id).first()


def format_public_name(event: Event, name: str) -> str:
    """Return the full name, the initials ("A. B.") or "", depending on the event's setting."""
    match event.people_shown:
        case Event.PeopleShown.NAMES:
            return name
        case Event.PeopleShown.INITIALS:
            return get_initials(name)
        case _:
            return ""


def label_without_name(bike: str, role: str) -> str:
    """Return a label for a person's row or seat if the event shows no names: "Rider of bike 57".

    Args:
        bike: the bike's label; "" for a person without a bike.
    """
    if not bike:
        return _("Someone without a bike")
    words = {"number": bike}
    if role == Player.Role.PASSENGER:
        return _("Passenger of bike %(number)s") % words
    return _("Rider of bike %(number)s") % words


def format_public_riders(event: Event, bike: Bike) -> str:
    """Return the public names of the people on the bike, rider first; "" if the event shows none.

    For several bikes, prefetch `bike.players`.
    """
    names = (format_public_name(event, player.name) for player in bike.players.all())
    return join_names(name for name in names if name)


def join_names(names: Iterable[str]) -> str:
    """Join the names of the people on a bike, rider first."""
    return ", ".join(names)


def format_riders(bike: Bike) -> str:
    """Return the full names of the people on the bike, rider first, for organisers and crew."""
    return join_names(player.name for player in bike.players.all())


def get_initials(name: str) -> str:
    """Return the first letter of each part of a name; parts that do not begin with a letter are omitted."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split() if part[0].isalpha())


def get_public_names(event: Event) -> Mapping[UUID, str]:
    """Return the public names of every bike and every player, as the event shows people.

    A bike whose riders are not shown is left out.
    """
    labels: dict[UUID, str] = {}
    riders: dict[UUID, list[str]] = {}
    # A leaderboard needs all names each time it is rendered, so each person is read once, as plain values.
    columns = ("pk", "name", "role", "bike_id", "bike__number", "bike__suffix")
    for player_id, full_name, role, bike_id, number, suffix in event.players.values_list(*columns):
        name = format_public_name(event, full_name)
        labels[player_id] = name or label_without_name("" if bike_id is None else label_bike(number, suffix), role)
        if bike_id is not None and name:
            riders.setdefault(bike_id, []).append(name)
    return {**labels, **{bike: join_names(names) for bike, names in riders.items()}}


def get_full_names(event: Event) -> Mapping[UUID, str]:
    """Return the full names of every bike and every player, for organisers."""
    riders = {bike.pk: format_riders(bike) for bike in list_bikes_with_people(event)}
    return riders | {player.pk: player.name for player in event.players.all()}


def get_bike_number(entrant: Bike | Player) -> str:
    """Return a bike's number; "" for a player: names are not part of the standings, so that they can be erased."""
    return entrant.label if isinstance(entrant, Bike) else ""


def format_entrant(number: str, people: str) -> str:
    """Return the name of an entrant: "Bike 57 (Ann, Bo)", or a player's name.

    Args:
        number: of the bike; "" for a player.
    """
    if not number:
        return people
    params = {"number": number, "riders": people}
    return _("Bike %(number)s (%(riders)s)") % params if people else _("Bike %(number)s") % params
