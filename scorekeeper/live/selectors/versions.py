"""The version of a ride, which changes with every entry and message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import Count

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMessage
from scorekeeper.events.models import Event, Freeze
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.models import Operation
from scorekeeper.live.models import Screen
from scorekeeper.standings.models import ChancesReport, ShownDraw, StandingsState


def get_versions(subjects: Collection[UUID]) -> Mapping[UUID, int]:
    """Return how often each subject has changed; one query.

    A contest changes with its standings and the chances to win; an event with its freeze, its public screen, the draw
    that is shown on its screens and the organiser's messages; a paired screen with its settings. Subjects that have not
    changed yet are left out.
    """
    contests = StandingsState.objects.filter(pk__in=subjects).values_list("pk", "version")
    chances = ChancesReport.objects.filter(pk__in=subjects).values_list("pk", "version")
    public = Screen.objects.filter(event__in=subjects, is_public=True).order_by().values_list("event", "version")
    paired = Screen.objects.filter(pk__in=subjects).values_list("pk", "version")
    freezes = Freeze.objects.filter(pk__in=subjects).values_list("pk", "version")
    draws = ShownDraw.objects.filter(pk__in=subjects).values_list("pk", "version")
    messages = (
        CrewMessage.objects.filter(event__in=subjects)
        .order_by()
        .values_list("event")
        .annotate(version=Count("pk") + Count("withdrawn_at"))
    )
    versions: Counter[UUID] = Counter()
    for subject, version in contests.union(chances, public, paired, freezes, draws, messages, all=True):
        versions[subject] += version
    return versions


def get_ride_version(event: Event, contests: Collection[UUID]) -> tuple[object, ...]:
    """Return values that differ once anything was recorded, opened, closed or registered, a message was sent, or the
    standings were frozen.

    They take five queries, and do not cover other changes that organisers make, such as to a rider's name.
    """
    versions = sorted((str(contest), version) for contest, version in get_versions(contests).items())
    operations = Operation.objects.filter(event=event).count()
    bikes = Bike.entrants.filter(event=event).count()
    messages = event.crew_messages.aggregate(sent=Count("pk"), withdrawn=Count("withdrawn_at"))
    freeze = get_freeze(event)
    frozen_at = None if freeze is None else freeze.at
    return event.state, tuple(versions), operations, bikes, frozen_at, *messages.values()
