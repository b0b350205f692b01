"""The Django app `common`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CommonConfig(AppConfig):
    """Configures the app; its label is the last part of its import path."""

    name = "scorekeeper.common"
    label = "common"
    verbose_name = _("Common")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and what shows whether the workers are there."""
        from scorekeeper.common import data_folder_check, rights_check  # noqa: F401 - they register themselves
        from scorekeeper.common.metrics import add_collector
        from scorekeeper.common.periodic_jobs import PeriodicJob, add_periodic_job
        from scorekeeper.common.readiness import add_readiness_report
        from scorekeeper.common.worker_heartbeats import ASK_SECONDS, ask_workers, count_answers, report_workers

        add_readiness_report(report_workers)
        add_collector(count_answers)
        add_periodic_job(PeriodicJob("ask_workers", ASK_SECONDS, ask_workers))
