"""Changing the roster: its bikes and people, and who asked for a place.

Invariants:
- A person who stays on a bike, or whose name is corrected, keeps their id, because scorecards may refer to it.
- An event has at most `MAX_PENDING` sign-ups without a decision, and from one network address at most `PER_ADDRESS`:
  anyone can send the form. With the decision, how to reach the rider is erased.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from scorekeeper.bikes import services as bikes
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import Player, SignUp

MAX_PENDING = 500
PER_ADDRESS = RateLimit("sign-ups", 10, 60 * 60)


class BikeInUse(Exception):
    """The bike, or a person on it, has a scorecard, or the event's log has something about the bike."""


class RegisteredAtStop(Exception):
    """The bike is in the log, so only an operation can delete it."""


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
    """Return a new bike with its people; empty names are ignored.

    Raises:
        NumberTaken: another bike has the number.
        RosterFixed: a contest is closed.
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
        NumberTaken: another bike has the number.
        NumberFixed: the ride is open, or a scorecard exists.
    """
    bikes.update_bike(bike, number=number, make=make, model=model, group=group)
    set_people(bike, rider=rider, passengers=passengers)


@transaction.atomic
def delete_bike(bike: Bike) -> None:
    """Delete a bike of the roster, with its people.

    Raises:
        BikeInUse: it, or one of its people, has a scorecard, or it is checked in or marked as not started.
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
        BikeInUse: it, or one of its people, has a scorecard, or it is checked in or marked as not started.
    """
    # Whoever checks it in locks it too.
    current = Bike.objects.select_for_update().filter(pk=bike.pk).first()
    if current is not None and current.did_not_start:
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


def add_player(event: Event, *, name: str, bike: Bike | None = None, role: str = "") -> Player:
    """Return a new player; without a bike the role is ignored."""
    return Player.objects.create(event=event, name=name, bike=bike, role=role if bike else "")


def update_player(player: Player, *, name: str, bike: Bike | None, role: str) -> None:
    """Change a player; without a bike the role is ignored."""
    player.name, player.bike, player.role = name, bike, role if bike else ""
    player.save(update_fields=["name", "bike", "role"])


def delete_player(player: Player) -> None:
    """Delete a player.

    Raises:
        PlayerInUse: they have a scorecard.
    """
    try:
        player.delete()
    except ProtectedError as error:
        raise PlayerInUse from error


class TooManySignUps(Exception):
    """The sign-up is not saved.

    Attributes:
        is_event_full: whether the event has too many without a decision; otherwise one address has sent too many.
        wait: seconds until the address may send another; 0 if the event is full.
    """

    def __init__(self, *, is_event_full: bool, wait: int = 0):
        super().__init__(is_event_full)
        self.is_event_full, self.wait = is_event_full, wait


class AlreadyDecided(Exception):
    """Another organiser has decided, or the sign-up was erased."""


@dataclass(frozen=True, slots=True)
class PlaceRequest:
    """What a rider enters. The page makes the `id`, so that a form that is sent twice is one sign-up."""

    id: UUID
    rider: str
    passenger: str = ""
    make: str = ""
    model: str = ""
    number: int | None = None
    contact: str = ""


@transaction.atomic
def add_sign_up(event: Event, wanted: PlaceRequest, address: str) -> None:
    """Save a sign-up. The same one again changes nothing.

    Args:
        address: the network address it comes from.

    Raises:
        TooManySignUps: the event or the address has reached its limit.
    """
    lock_event(event)
    if SignUp.objects.filter(pk=wanted.id).exists():
        return
    if event.sign_ups.filter(decision="").count() >= MAX_PENDING:
        raise TooManySignUps(is_event_full=True)
    try:
        count_use(PER_ADDRESS, f"{event.pk} {address}")
    except RateLimited as limited:
        raise TooManySignUps(is_event_full=False, wait=limited.wait) from None
    SignUp.objects.create(
        id=wanted.id,
        event=event,
        rider=wanted.rider,
        passenger=wanted.passenger,
        make=wanted.make,
        model=wanted.model,
        number=wanted.number,
        contact=wanted.contact,
    )


@transaction.atomic
def approve_sign_up(sign_up: SignUp, number: int) -> Bike:
    """Add the bike with its people to the roster.

    Raises:
        AlreadyDecided: there is nothing to decide any more.
        NumberTaken: another bike has the number.
        RosterFixed: a contest is closed.
    """
    locked = _lock(sign_up)
    locked.bike = add_bike(
        locked.event,
        number=number,
        make=locked.make,
        model=locked.model,
        rider=locked.rider,
        passengers=[locked.passenger] if locked.passenger else [],
    )
    _save_decision(locked, SignUp.Decision.APPROVED)
    return locked.bike


@transaction.atomic
def decline_sign_up(sign_up: SignUp) -> None:
    """Decline a sign-up.

    Raises:
        AlreadyDecided: there is nothing to decide any more.
    """
    _save_decision(_lock(sign_up), SignUp.Decision.DECLINED)


def _lock(sign_up: SignUp) -> SignUp:
    pending = SignUp.objects.select_for_update(of=("self",)).select_related("event").filter(decision="")
    locked = pending.filter(pk=sign_up.pk).first()
    if locked is None:
        raise AlreadyDecided(sign_up.pk)
    return locked


def _save_decision(sign_up: SignUp, decision: SignUp.Decision) -> None:
    sign_up.decision, sign_up.decided_at = decision, timezone.now()
    sign_up.contact = ""
    sign_up.save(update_fields=["bike", "decision", "decided_at", "contact"])
