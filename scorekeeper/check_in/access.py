"""Who may check in which bike: organisers any bike, and crew those bikes whose scorecards they may open.

That is the bikes of their own group and bikes without one; road captains, and crew who record any bike at some stop,
check in every bike of the event.
"""

from __future__ import annotations

from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import BikeWithdrawn, NotAllowed, UnknownTarget
from scorekeeper.ledger.withdrawals import was_withdrawn


def can_check_all(actor: Actor) -> bool:
    """Return whether the actor may check in every bike of the event."""
    return actor.is_organiser or actor.can_take_over or bool(actor.any_bike_stops)


def can_check(actor: Actor, bike: Bike) -> bool:
    """Return whether the actor may check in a bike of their event."""
    return bike.group_id in (None, actor.group_id) or can_check_all(actor)


def lock_bike_to_check(actor: Actor, bike_id: UUID, *, even_sheet: bool = False) -> Bike:
    """Return the bike, or the bike it was merged into, locked so that it is not deleted meanwhile.

    Args:
        even_sheet: whether it may also be a further sheet of a bike.

    Raises:
        UnknownTarget: there is no such bike yet.
        BikeWithdrawn: the bike's registration was undone.
        NotAllowed: the actor may not check in this bike, or the phone was revoked or has expired.
    """
    bikes = (Bike.entrants if even_sheet else Bike.objects).select_for_update(no_key=True)
    bike = bikes.filter(pk=bike_id).first()
    if bike is not None and bike.merged_into_id is not None:
        bike = bikes.filter(pk=bike.merged_into_id).first()
    if bike is None:
        raise BikeWithdrawn(bike_id) if was_withdrawn(actor.event_id, bike_id) else UnknownTarget(bike_id)
    if actor.needs_review or bike.event_id != actor.event_id or not can_check(actor, bike):
        raise NotAllowed(bike_id)
    return bike
