"""When the sweeper last finished, for the readiness report and the metrics.

The age is measured by the database's clock alone, which also dates the sweeps. After that clock was set forward or
back, the sweeper counts as late until its next sweep. The number of sweeps does not depend on any clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.conf import settings
from django.db.models.functions import Now
from prometheus_client.core import CounterMetricFamily

from scorekeeper.standings.models import LastSweep

MAX_MISSED_SWEEPS = 3  # sweeps in a row that may be missed, for example while the sweeper restarts
MIN_ALLOWED_AGE = dt.timedelta(seconds=30)  # whatever the interval: a single sweep may take a while


def report_last_sweep() -> dict[str, object]:
    """Return whether the sweeper is "ok" or "late" or has "never" run, and when it last finished."""
    last = LastSweep.objects.annotate(now=Now()).values_list("at", "now").first()
    if last is None:
        return {"sweeper": "never", "last_sweep": None}
    at, now = last
    is_recent = (
        dt.timedelta(0)
        <= now - at
        <= max(MIN_ALLOWED_AGE, MAX_MISSED_SWEEPS * dt.timedelta(seconds=settings.SWEEP_SECONDS))
    )
    return {"sweeper": "ok" if is_recent else "late", "last_sweep": at.isoformat(timespec="seconds")}


def count_sweeps() -> Iterator[CounterMetricFamily]:
    """Return how many sweeps there have been; while the number does not grow, no sweeper is running."""
    count = LastSweep.objects.values_list("count", flat=True).first() or 0
    yield CounterMetricFamily("tailgunner_sweeps", "Sweeps for entries missing from the standings", count)
