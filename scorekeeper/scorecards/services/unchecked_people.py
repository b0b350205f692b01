"""The organiser's decision on the names that a walk-up was registered with by a phone whose entries go to review.

Nothing here is in the log, which has no names. Names that were added are changed on the bike's page; names that were
left out can still be added.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import UncheckedPeople
from scorekeeper.players.models import Player


@transaction.atomic
def add_unchecked_people(event: Event, bike_id: UUID) -> Bike:
    """Add the names to the bike they came with, or to the one that it was merged into.

    People who are on the bike already are not added again. A bike without make and model gets those that were sent.

    Args:
        bike_id: the bike that the phone registered.

    Raises:
        UncheckedPeople.DoesNotExist: the event has no such names, or they have been added or erased.
    """
    unchecked = _lock(event, bike_id)
    bike = unchecked.bike.merged_into or unchecked.bike
    for name, role in ((unchecked.rider, Player.Role.RIDER), (unchecked.passenger, Player.Role.PASSENGER)):
        if name and not bike.players.filter(name=name, role=role).exists():
            Player.objects.create(event=event, bike=bike, name=name, role=role)
    body = unchecked.operation.body
    if not bike.make and not bike.model:
        bike.make, bike.model = body["make"], body["model"]
        bike.save(update_fields=["make", "model"])
    unchecked.delete()
    return bike


@transaction.atomic
def leave_out_unchecked_people(event: Event, bike_id: UUID) -> Bike:
    """Leave the names out. They can still be added.

    Args:
        bike_id: the bike that the phone registered.

    Raises:
        UncheckedPeople.DoesNotExist: the event has no such names, or they have been added or erased.
    """
    unchecked = _lock(event, bike_id)
    unchecked.is_left_out = True
    unchecked.save(update_fields=["is_left_out"])
    return unchecked.bike.merged_into or unchecked.bike


def _lock(event: Event, bike_id: UUID) -> UncheckedPeople:
    rows = UncheckedPeople.objects.select_for_update(of=("self",)).select_related("bike__merged_into", "operation")
    return rows.get(bike_id=bike_id, operation__event=event)
