"""Jobs that a process repeats for as long as it lives.

Invariants:
- Pauses are measured by a clock that nobody can set, so putting the machine's time forward or back changes nothing.
- No job stops the others: one that fails is logged and tried again in its turn; one that hangs ends the process, with a
  traceback of where it hung, and whoever supervises the process starts it again.
"""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from django.db import connections

from scorekeeper.common.database_unavailable import is_database_unavailable

MAX_JOB_SECONDS = 300  # seconds, as for the tasks of a worker

log = structlog.get_logger("tailgunner.jobs")


@dataclass(frozen=True)
class PeriodicJob:
    """Something to be done again and again.

    Attributes:
        name: what the log calls it.
        every: seconds from its end to its next start.
        run: does it, and may be repeated.
    """

    name: str
    interval: float
    run: Callable[[], object]


def run_periodically(jobs: Sequence[PeriodicJob]) -> None:
    """Run each job at once and then again after its pause, until the process is told to end."""
    due = dict.fromkeys(jobs, time.monotonic())
    while True:
        job = min(due, key=lambda one: due[one])
        time.sleep(max(0.0, due[job] - time.monotonic()))
        _run_job(job)
        due[job] = time.monotonic() + job.interval


def _run_job(job: PeriodicJob) -> None:
    faulthandler.dump_traceback_later(MAX_JOB_SECONDS, exit=True)
    try:
        job.run()
    except Exception as error:
        if is_database_unavailable(error):
            log.warning("database_away", job=job.name)
        else:
            log.exception("job_failed", job=job.name)
    finally:
        # Jobs are seconds apart: a connection that is made anew each time has never been lost meanwhile.
        connections.close_all()
        faulthandler.cancel_dump_traceback_later()
