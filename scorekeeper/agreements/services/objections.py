"""Saying on the public page of a bike that something is wrong, and the organiser's answer.

Invariants:
- Anyone can send the form, so there are limits: of objections that are not settled, an event has at most `MAX_OPEN` and
  a bike `MAX_OPEN_PER_BIKE`; from one network address an event gets at most `PER_ADDRESS`.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.agreements.models import Objection
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.events.models import Contest
from scorekeeper.events.services.events import lock_event

MAX_OPEN, MAX_OPEN_PER_BIKE = 200, 3
PER_ADDRESS = RateLimit("objections", 5, 60 * 60)


class TooManyObjections(Exception):
    """The objection is not saved: the event, the bike or the network address has reached its limit."""


class AlreadySettled(Exception):
    """Another organiser has settled it, or it was erased."""


@transaction.atomic
def add_objection(contest: Contest, bike: Bike, objection_id: UUID, text: str, address: str) -> None:
    """Save an objection. The same one again changes nothing.

    Args:
        objection_id: made with the page, so that a form that is sent twice is one objection.
        address: the network address it comes from.

    Raises:
        TooManyObjections: a limit is reached.
    """
    event = lock_event(contest.event)
    if Objection.objects.filter(pk=objection_id).exists():
        return
    still_open = event.objections.filter(settled_at=None)
    if still_open.count() >= MAX_OPEN or still_open.filter(bike=bike).count() >= MAX_OPEN_PER_BIKE:
        raise TooManyObjections
    try:
        count_use(PER_ADDRESS, f"{event.pk} {address}")
    except RateLimited:
        raise TooManyObjections from None
    Objection.objects.create(id=objection_id, event=event, contest=contest, bike=bike, text=text)


@transaction.atomic
def settle_objection(objection: Objection, organiser_id: UUID, answer: str) -> None:
    """Settle an objection with what the organiser found.

    Raises:
        AlreadySettled: there is nothing to settle any more.
    """
    locked = Objection.objects.select_for_update(of=("self",)).filter(pk=objection.pk, settled_at=None).first()
    if locked is None:
        raise AlreadySettled(objection.pk)
    locked.settled_at, locked.settled_by, locked.answer = timezone.now(), organiser_id, answer
    locked.save(update_fields=["settled_at", "settled_by", "answer"])
