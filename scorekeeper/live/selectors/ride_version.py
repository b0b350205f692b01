"""The version of a ride, which changes with every entry and message."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Count

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.models import Operation
from scorekeeper.live.selectors.versions import get_versions


def get_ride_version(event: Event, contests: Collection[UUID]) -> tuple[object, ...]:
    """Return values that differ once anything was recorded, opened, closed or registered, a message was sent, or the
    standings were frozen.

    They take five queries, and do not cover other changes that organisers make, such as to a rider's name.
    """
    versions = sorted((str(contest), version) for contest, version in get_versions(contests).items())
    operations = Operation.objects.filter(event=event).count()
    bikes = Bike.objects.filter(event=event).count()
    messages = event.crew_messages.aggregate(sent=Count("pk"), withdrawn=Count("withdrawn_at"))
    freeze = get_freeze(event)
    frozen_at = None if freeze is None else freeze.at
    return event.state, tuple(versions), operations, bikes, frozen_at, *messages.values()
