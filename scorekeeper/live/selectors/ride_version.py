"""The version of a ride, which changes with every entry."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from scorekeeper.live.selectors.versions import get_versions


def get_ride_version(event: Event, contests: Collection[UUID]) -> tuple[object, ...]:
    """Return values that differ once anything was recorded, opened, closed or registered; three queries.

    They do not cover changes that organisers make without an operation, such as to a rider's name.
    """
    versions = sorted((str(contest), version) for contest, version in get_versions(contests).items())
    operations = Operation.objects.filter(event=event).count()
    bikes = Bike.objects.filter(event=event).count()
    return event.state, tuple(versions), operations, bikes
