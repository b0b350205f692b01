"""`manage.py sweep`: the sweeper, as a process that is kept running."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand

from scorekeeper.common.periodic_jobs import PeriodicJob, run_periodically
from scorekeeper.standings.services.sweeper import mark_outgrown_cards, sweep

log = structlog.get_logger("tailgunner.sweeper")


class Command(BaseCommand):
    help = "Keeps refreshing stale standings until Ctrl-C. It is safe to run more than one."

    def handle(self, *args: Any, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _exit)
        log.info("sweeping", every=settings.SWEEP_SECONDS)
        run_periodically(
            [
                PeriodicJob("sweep", settings.SWEEP_SECONDS, sweep),
                PeriodicJob("compare", settings.COMPARE_SECONDS, mark_outgrown_cards),
            ]
        )


def _exit(_number: int, _frame: FrameType | None) -> None:
    """End at once: a sweep that is cut short is rolled back, and made again by whoever sweeps next."""
    raise SystemExit(0)
