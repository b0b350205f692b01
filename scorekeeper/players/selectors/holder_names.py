"""The names of those who play: bikes with their people, and players. A fixed number of statements however many."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.players.selectors.public_names import format_public_name, format_riders, join_names, label_without_name
from scorekeeper.players.selectors.roster import list_bikes_with_people


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


def get_bike_number(holder: Bike | Player) -> str:
    """Return a bike's number; "" for a player: names are not part of the standings, so that they can be erased."""
    return holder.label if isinstance(holder, Bike) else ""


def format_holder(number: str, people: str) -> str:
    """Return the name of a holder: "Bike 57 (Ann, Bo)", or a player's name.

    Args:
        number: of the bike; "" for a player.
    """
    if not number:
        return people
    params = {"number": number, "riders": people}
    return _("Bike %(number)s (%(riders)s)") % params if people else _("Bike %(number)s") % params
