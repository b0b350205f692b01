"""`manage.py sweep`: the sweeper, as a long-running process."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scorekeeper.coach.services import delete_old_answers
from scorekeeper.common.data_folder_check import DATA_CHECKS, find_damaged_database
from scorekeeper.common.periodic_jobs import PERIODIC_JOBS, PeriodicJob, run_periodically
from scorekeeper.common.rate_limits import delete_expired_counts
from scorekeeper.common.sent_once import delete_old_forms
from scorekeeper.common.task_runs import take_up_abandoned_tasks
from scorekeeper.events.account_jobs import ACCOUNT_JOBS
from scorekeeper.players.sign_ups import erase_old_contacts
from scorekeeper.standings.services.sweeper import mark_outgrown_cards, sweep

TAKE_UP_SECONDS = 1  # between two searches for tasks whose worker has died; each is one statement
DELETE_SECONDS = 3_600  # between two deletions of old rows

log = structlog.get_logger("tailgunner.sweeper")


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = "Keeps refreshing stale standings until Ctrl-C. It is safe to run more than one."

    def handle(self, *args: Any, **options: Any) -> None:
        if damaged := find_damaged_database():
            raise CommandError(damaged)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _exit)
        log.info("sweeping", every=settings.SWEEP_SECONDS)
        run_periodically(
            [
                PeriodicJob("sweep", settings.SWEEP_SECONDS, sweep),
                PeriodicJob("compare", settings.COMPARE_SECONDS, mark_outgrown_cards),
                PeriodicJob("take_up_tasks", TAKE_UP_SECONDS, take_up_abandoned_tasks),
                PeriodicJob("delete_odds_answers", DELETE_SECONDS, delete_old_answers),
                PeriodicJob("delete_use_counts", DELETE_SECONDS, delete_expired_counts),
                PeriodicJob("delete_sent_forms", DELETE_SECONDS, delete_old_forms),
                PeriodicJob("erase_sign_up_contacts", DELETE_SECONDS, erase_old_contacts),
                *ACCOUNT_JOBS,
                *PERIODIC_JOBS,
            ]
        )


def _exit(_number: int, _frame: FrameType | None) -> None:
    """Exit at once. An interrupted sweep is rolled back, and the next one does it again."""
    raise SystemExit(0)
