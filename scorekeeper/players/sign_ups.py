"""Asking for a place in an event, the organiser's decision, and telling the rider.

Invariants:
- An event has at most `MAX_PENDING` sign-ups without a decision, and from one network address at most `PER_ADDRESS`:
  anyone can send the form.
- How to reach the rider is erased once an organiser has told them, at the latest 14 days after the ride.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import SignUp
from scorekeeper.players.selectors import CONTACT_KEPT_FOR
from scorekeeper.players.services import add_bike

MAX_PENDING = 500
PER_ADDRESS = RateLimit("sign-ups", 10, 60 * 60)


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


class NothingToTell(Exception):
    """There is no decision yet, the rider was told already, or the sign-up was erased."""


@dataclass(frozen=True, slots=True)
class PlaceRequest:
    """What a rider enters. The page makes the `id`, so that a form that is sent twice is one sign-up."""

    id: UUID
    rider: str
    passenger: str = ""
    make: str = ""
    model: str = ""
    number: BikeNumber | None = None
    contact: str = ""
    group: Group | None = None


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
        group=wanted.group,
        contact=wanted.contact,
    )


@transaction.atomic
def approve_sign_up(sign_up: SignUp, number: BikeNumber, group: Group | None = None) -> Bike:
    """Add the bike with its people to the roster.

    Args:
        group: the group that the bike rides with; None for none yet.

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
        group=group,
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


def mark_as_told(sign_up: SignUp) -> None:
    """Record that the rider knows the decision, and erase how to reach them.

    Raises:
        NothingToTell: there is nothing to tell any more.
    """
    untold = SignUp.objects.filter(pk=sign_up.pk, told_at=None).exclude(decision="")
    if not untold.update(told_at=timezone.now(), contact=""):
        raise NothingToTell(sign_up.pk)


def erase_old_contacts() -> None:
    """Erase how to reach riders whose ride was 14 days ago, also of sign-ups that nobody decided. The sweeper runs it.

    Where a ride's day begins late, it ends late too: by the date in UTC it is never more than 14 days after the ride.
    """
    last = timezone.localdate(timezone=dt.UTC) - CONTACT_KEPT_FOR
    SignUp.objects.filter(event__date__lte=last).exclude(contact="").update(contact="")


def _lock(sign_up: SignUp) -> SignUp:
    pending = SignUp.objects.select_for_update(of=("self",)).select_related("event").filter(decision="")
    locked = pending.filter(pk=sign_up.pk).first()
    if locked is None:
        raise AlreadyDecided(sign_up.pk)
    return locked


def _save_decision(sign_up: SignUp, decision: SignUp.Decision) -> None:
    sign_up.decision, sign_up.decided_at = decision, timezone.now()
    sign_up.save(update_fields=["bike", "decision", "decided_at"])
