"""Version numbers of contests and screens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from scorekeeper.live.models import Screen
from scorekeeper.standings.models import StandingsState


def get_versions(subjects: Collection[UUID]) -> Mapping[UUID, int]:
    """Return how often each subject, a contest or an event's screen, has changed; one query.

    Subjects that have not changed yet are left out.
    """
    contests = StandingsState.objects.filter(pk__in=subjects).values_list("pk", "version")
    screens = Screen.objects.filter(pk__in=subjects).values_list("pk", "version")
    return dict(contests.union(screens, all=True))
