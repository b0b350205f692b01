"""Who may tick what: organisers any bike, and crew those bikes whose scorecards they may open.

That is the bikes of their own group and bikes without one; road captains, and crew who record any bike at some stop,
check in every bike of the event.
"""

from __future__ import annotations

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor


def can_check_all(actor: Actor) -> bool:
    """Return whether the actor may check in every bike of the event."""
    return actor.is_organiser or actor.can_take_over or bool(actor.any_bike_stops)


def can_check(actor: Actor, bike: Bike) -> bool:
    """Return whether the actor may check in a bike of their event."""
    return bike.group_id in (None, actor.group_id) or can_check_all(actor)
