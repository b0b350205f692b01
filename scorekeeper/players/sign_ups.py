"""Asking for a place in an event, and the organiser's decision.

Invariants:
- An event has at most `MAX_PENDING` sign-ups without a decision, and from one network address at most `PER_ADDRESS`:
  anyone can send the form.
- With the decision, how to reach the rider is erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.models import SignUp
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
