"""Who rides on which bike, for lists of standings: two statements however many bikes there are."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.players.selectors.names import list_riders, list_riders_for_public
from scorekeeper.players.selectors.roster import list_bikes_with_people


def get_public_riders(event: Event) -> Mapping[UUID, str]:
    """Return the riders of every bike as the event shows people to the public."""
    return {bike.pk: list_riders_for_public(event, bike) for bike in list_bikes_with_people(event)}


def get_riders(event: Event) -> Mapping[UUID, str]:
    """Return the riders of every bike by full name: for organisers."""
    return {bike.pk: list_riders(bike) for bike in list_bikes_with_people(event)}
