"""Configuration of the `standings` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StandingsConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.standings"
    label = "standings"
    verbose_name = _("Standings")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the metrics, the readiness report, the sweeper's job, and what finds the total to overtake."""
        from scorekeeper.coach.odds_presenter import NEXT_TOTALS, TOTALS_AHEAD
        from scorekeeper.common.health import READINESS_REPORTS
        from scorekeeper.common.metrics import COLLECTORS
        from scorekeeper.common.periodic_jobs import PERIODIC_JOBS, PeriodicJob
        from scorekeeper.common.task_runs import TASK_RELEASES, TaskRelease
        from scorekeeper.common.worker_heartbeats import ASK_SECONDS as ASK_WORKERS_SECONDS
        from scorekeeper.common.worker_heartbeats import ask_workers, count_answers, report_workers
        from scorekeeper.standings.selectors.lag import read_lag
        from scorekeeper.standings.selectors.last_sweep import count_sweeps, report_last_sweep
        from scorekeeper.standings.selectors.next_ahead import find_next_total, list_totals_ahead
        from scorekeeper.standings.services.chances_computation import ask_for_due_chances, release_chances

        COLLECTORS.add(read_lag)
        COLLECTORS.add(count_sweeps)
        READINESS_REPORTS.add(report_last_sweep)
        # The app `common` is on the phone, too, which has no workers.
        COLLECTORS.add(count_answers)
        READINESS_REPORTS.add(report_workers)
        PERIODIC_JOBS.add(PeriodicJob("ask_workers", ASK_WORKERS_SECONDS, ask_workers))
        PERIODIC_JOBS.add(PeriodicJob("ask_for_chances", ASK_SECONDS, ask_for_due_chances))
        NEXT_TOTALS.add(find_next_total)
        TOTALS_AHEAD.add(list_totals_ahead)
        TASK_RELEASES.add(TaskRelease("standings.chances", release_chances))


ASK_SECONDS = 3  # so that chances are up to date soon after a change; an interval costs one statement
