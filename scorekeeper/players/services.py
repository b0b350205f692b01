"""Changing the roster: its bikes, and the people on them.

Invariant: a person who stays on a bike, or whose name is corrected, keeps their id, because scorecards may refer to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import ProtectedError

from scorekeeper.bikes import services as bikes
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.players.class_settings import give_classes, keep_classes
from scorekeeper.players.models import Player


class BikeInUse(Exception):
    """The bike, or a person on it, has a scorecard, or the event's log has something about the bike."""


class RegisteredAtStop(Exception):
    """The bike is in the log, so only an operation can delete it."""


@transaction.atomic
def add_bike(
    event: Event,
    *,
    number: BikeNumber,
    make: str = "",
    model: str = "",
    group: Group | None = None,
    rider: str = "",
    passengers: Sequence[str] = (),
    classes: Collection[UUID] = (),
) -> Bike:
    """Return a new bike with its people; empty names are ignored.

    Raises:
        NumberTaken: another bike has the number.
        RosterFixed: a contest is closed.
        ClassesFixed: it is given classes, and something is recorded.
    """
    bike = bikes.add_bike(event, number=number, make=make, model=model, group=group)
    set_people(bike, rider=rider, passengers=passengers)
    give_classes(bike, classes)
    return bike


@transaction.atomic
def update_bike(
    bike: Bike,
    *,
    number: BikeNumber,
    make: str,
    model: str,
    group: Group | None,
    rider: str,
    passengers: Sequence[str],
    classes: Collection[UUID] | None = None,
) -> None:
    """Change a bike and who is on it.

    Args:
        classes: its own classes; None to leave them as they are.

    Raises:
        NumberTaken: another bike has the number.
        NumberFixed: the ride is open, or a scorecard exists.
        ClassesFixed: somebody's classes would change, and something is recorded.
    """
    bikes.update_bike(bike, number=number, make=make, model=model, group=group)
    with keep_classes(bike.event):
        set_people(bike, rider=rider, passengers=passengers)
    if classes is not None:
        give_classes(bike, classes)


@transaction.atomic
def delete_bike(bike: Bike) -> None:
    """Delete a bike of the roster, with its people.

    Raises:
        BikeInUse: it, or one of its people, has a scorecard or a prize, or it is checked in or marked as not started.
        RegisteredAtStop: it is a walk-up.
        RosterFixed: a contest is closed.
    """
    if bike.is_walk_up:
        raise RegisteredAtStop
    bikes.lock_roster(bike.event)
    delete_walk_up(bike)


@transaction.atomic
def delete_walk_up(bike: Bike) -> None:
    """Delete a bike, with its people, for an operation that is in the log.

    Raises:
        BikeInUse: it, or one of its people, has a scorecard or a prize, or it is checked in or marked as not started.
    """
    # Whoever checks it in locks it too.
    current = Bike.objects.select_for_update().filter(pk=bike.pk).first()
    if current is not None and (current.did_not_start or bikes.explain_obstacle(current)):
        raise BikeInUse
    try:
        bike.players.all().delete()
        bike.delete()
    except ProtectedError as error:
        raise BikeInUse from error


def set_people(bike: Bike, *, rider: str, passengers: Sequence[str]) -> None:
    """Make these the people on the bike."""
    wanted = [(rider, Player.Role.RIDER), *((name, Player.Role.PASSENGER) for name in passengers)]
    missing = [(name, role) for name, role in wanted if name]
    existing = list(bike.players.all())
    # People are matched by name first. Anyone left over whose role is wanted has a corrected name.
    for is_same in (_has_name_and_role, _has_name, _has_role):
        for name, role in list(missing):
            player = next((player for player in existing if is_same(player, name, role)), None)
            if player is not None:
                missing.remove((name, role))
                existing.remove(player)
                _update_player(player, name, role)
    Player.objects.bulk_create(
        [Player(event_id=bike.event_id, name=name, bike=bike, role=role) for name, role in missing]
    )
    for player in existing:
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
    """Delete a person who is no longer on the bike; anyone with a scorecard of their own stays, without a bike."""
    try:
        player.delete()
    except ProtectedError:
        player.bike, player.role = None, ""
        player.save(update_fields=["bike", "role"])


class PlayerInUse(Exception):
    """The player has a scorecard."""


@transaction.atomic
def add_player(
    event: Event, *, name: str, bike: Bike | None = None, role: str = "", classes: Collection[UUID] = ()
) -> Player:
    """Return a new player; without a bike the role is ignored.

    Raises:
        ClassesFixed: somebody's classes would change, and something is recorded.
    """
    with keep_classes(event):
        player = Player.objects.create(event=event, name=name, bike=bike, role=role if bike else "")
    give_classes(player, classes)
    return player


@transaction.atomic
def update_player(
    player: Player, *, name: str, bike: Bike | None, role: str, classes: Collection[UUID] | None = None
) -> None:
    """Change a player; without a bike the role is ignored.

    Args:
        classes: their own classes; None to leave them as they are.

    Raises:
        ClassesFixed: somebody's classes would change, and something is recorded.
    """
    with keep_classes(player.event):
        player.name, player.bike, player.role = name, bike, role if bike else ""
        player.save(update_fields=["name", "bike", "role"])
    if classes is not None:
        give_classes(player, classes)


@transaction.atomic
def delete_player(player: Player) -> None:
    """Delete a player.

    Raises:
        PlayerInUse: they have a scorecard.
        ClassesFixed: the classes of their bike would change, and something is recorded.
    """
    try:
        with keep_classes(player.event):
            player.delete()
    except ProtectedError as error:
        raise PlayerInUse from error
