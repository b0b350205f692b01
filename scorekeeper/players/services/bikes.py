"""A bike and the people on it, written together.

Invariant: a person who stays, or whose name is corrected, keeps their id, as a play may know them by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import ProtectedError

from scorekeeper.bikes import services as bikes
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player


class BikeInUse(Exception):
    """The bike has a scorecard."""


class RegisteredAtStop(Exception):
    """The log tells of the bike, so only an operation takes it away."""


@transaction.atomic
def add_bike(
    event: Event,
    *,
    number: int,
    make: str = "",
    model: str = "",
    group: Group | None = None,
    rider: str = "",
    passengers: Sequence[str] = (),
) -> Bike:
    """Return a new bike with its people; a name that is "" is nobody.

    Raises:
        NumberTaken: another bike goes by the number.
    """
    bike = bikes.add_bike(event, number=number, make=make, model=model, group=group)
    set_people(bike, rider=rider, passengers=passengers)
    return bike


@transaction.atomic
def update_bike(
    bike: Bike,
    *,
    number: int,
    make: str,
    model: str,
    group: Group | None,
    rider: str,
    passengers: Sequence[str],
) -> None:
    """Change a bike and who is on it.

    Raises:
        NumberTaken: another bike goes by the number.
        NumberFixed: the ride is open, or a card was begun.
    """
    bikes.update_bike(bike, number=number, make=make, model=model, group=group)
    set_people(bike, rider=rider, passengers=passengers)


def delete_bike(bike: Bike) -> None:
    """Take a bike of the roster away, with its people.

    Raises:
        BikeInUse: it, or one of its people, has a scorecard.
        RegisteredAtStop: it is a walk-up.
    """
    if bike.is_walk_up:
        raise RegisteredAtStop
    delete_walk_up(bike)


@transaction.atomic
def delete_walk_up(bike: Bike) -> None:
    """Take a bike away, with its people, for an operation that says so in the log.

    Raises:
        BikeInUse: it, or one of its people, has a scorecard.
    """
    try:
        bike.players.all().delete()
        bike.delete()
    except ProtectedError as error:
        raise BikeInUse from error


def set_people(bike: Bike, *, rider: str, passengers: Sequence[str]) -> None:
    """Let exactly these people be on the bike."""
    wanted = [(rider, Player.Role.RIDER), *((name, Player.Role.PASSENGER) for name in passengers)]
    missing = [(name, role) for name, role in wanted if name]
    standing = list(bike.players.all())
    # Whoever is there already is found first; of those left over, one whose role is free has a new name.
    for is_same in (_has_name_and_role, _has_name, _has_role):
        for name, role in list(missing):
            player = next((player for player in standing if is_same(player, name, role)), None)
            if player is not None:
                missing.remove((name, role))
                standing.remove(player)
                _update_player(player, name, role)
    Player.objects.bulk_create(
        [Player(event_id=bike.event_id, name=name, bike=bike, role=role) for name, role in missing]
    )
    for player in standing:
        _remove_from_bike(player)


def _has_name_and_role(player: Player, name: str, role: str) -> bool:
    return player.name == name and player.role == role


def _has_name(player: Player, name: str, _role: str) -> bool:
    return player.name == name


def _has_role(player: Player, _name: str, role: str) -> bool:
    return player.role == role


def _update_player(player: Player, name: str, role: str) -> None:
    if (player.name, player.role) != (name, role):
        player.name, player.role = name, role
        player.save(update_fields=["name", "role"])


def _remove_from_bike(player: Player) -> None:
    """Delete somebody who is no longer on the bike; whoever plays by themselves stays, without a bike."""
    try:
        player.delete()
    except ProtectedError:
        player.bike, player.role = None, ""
        player.save(update_fields=["bike", "role"])
