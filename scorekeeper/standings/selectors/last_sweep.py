"""When the sweeper was last through, for whoever watches.

The age is told by the database's clock alone, which the sweeper writes by as well. Where that clock was put forward or
back, the sweep after it sets it right; until then the sweeper counts as late. The number of sweeps hangs on no clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.conf import settings
from django.db.models.functions import Now
from prometheus_client.core import CounterMetricFamily

from scorekeeper.standings.models import LastSweep

MAX_MISSED_SWEEPS = 3  # sweeps in a row that may be missed, as while the sweeper is started again
MIN_ALLOWED_AGE = dt.timedelta(seconds=30)  # however often it sweeps: one sweep may take a while


def report_last_sweep() -> dict[str, object]:
    """Return whether the sweeper is "ok" or "late", or has "never" been through, and when it last was."""
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
    """Return how many sweeps there have been; standing still, it tells that nobody sweeps."""
    count = LastSweep.objects.values_list("count", flat=True).first() or 0
    yield CounterMetricFamily("tailgunner_sweeps", "Sweeps for what the standings have not taken in", count)
