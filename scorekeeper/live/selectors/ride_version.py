"""What is counted of a ride to know that it changed."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.scorecards.models import Operation


def get_ride_version(event: Event, contests: Collection[UUID]) -> tuple[object, ...]:
    """Return what differs once anything was recorded, opened, closed or registered; three statements.

    What the desk alters without recording it, such as a rider's name, is not among it.
    """
    versions = sorted((str(contest), version) for contest, version in get_versions(contests).items())
    operations = Operation.objects.filter(event=event).count()
    bikes = Bike.objects.filter(event=event).count()
    return event.state, tuple(versions), operations, bikes
