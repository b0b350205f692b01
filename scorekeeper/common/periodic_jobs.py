"""Jobs that a process repeats for as long as it runs.

Invariants:
- Intervals are measured with the monotonic clock, so setting the machine's time forward or back changes nothing.
- No job stops the others. A job that fails is logged, and runs again after its interval. A job that hangs ends the
  process with a traceback of where it hung, and the supervisor restarts the process.
"""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from django.db import connections

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.common.hooks import Hook

MAX_JOB_SECONDS = 300  # seconds, as for the tasks of a worker

log = structlog.get_logger("tailgunner.jobs")


@dataclass(frozen=True)
class PeriodicJob:
    """A job to repeat.

    Attributes:
        name: its name in the log.
        interval: seconds from its end to its next start.
        run: the job; it must be safe to repeat.
    """

    name: str
    interval: float
    run: Callable[[], object]


# What the sweeper runs for apps, besides refreshing standings.
PERIODIC_JOBS = Hook[PeriodicJob]()


def run_periodically(jobs: Sequence[PeriodicJob]) -> None:
    """Run each job at once and then again after its interval, until the process is stopped."""
    due = dict.fromkeys(jobs, time.monotonic())
    while True:
        job = min(due, key=lambda candidate: due[candidate])
        time.sleep(max(0.0, due[job] - time.monotonic()))
        _run_job(job)
        due[job] = time.monotonic() + job.interval


def _run_job(job: PeriodicJob) -> None:
    faulthandler.dump_traceback_later(MAX_JOB_SECONDS, exit=True)
    try:
        job.run()
    except Exception as error:
        if is_database_unavailable(error):
            log.warning("database_unavailable", job=job.name)
        else:
            log.exception("job_failed", job=job.name)
    finally:
        # Jobs are seconds apart. A new connection each time cannot have been lost in between.
        connections.close_all()
        faulthandler.cancel_dump_traceback_later()
