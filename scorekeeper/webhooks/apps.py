"""Configuration of the app `webhooks`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.webhooks"
    label = "webhooks"
    verbose_name = _("Webhooks")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what the sweeper does for webhooks."""
        from scorekeeper.common.periodic_jobs import PERIODIC_JOBS, PeriodicJob
        from scorekeeper.common.task_runs import TASK_RELEASES, TaskRelease
        from scorekeeper.webhooks.deliveries import ask_for_due_deliveries, delete_old_deliveries, end_abandoned_attempt
        from scorekeeper.webhooks.services import announce_changes

        TASK_RELEASES.add(TaskRelease("webhooks.deliver", end_abandoned_attempt))
        PERIODIC_JOBS.add(PeriodicJob("announce_to_webhooks", ANNOUNCE_SECONDS, announce_changes))
        PERIODIC_JOBS.add(PeriodicJob("ask_for_webhook_deliveries", ASK_SECONDS, ask_for_due_deliveries))
        PERIODIC_JOBS.add(PeriodicJob("delete_webhook_deliveries", CLEAN_SECONDS, delete_old_deliveries))


ANNOUNCE_SECONDS, ASK_SECONDS, CLEAN_SECONDS = 5, 5, 3600
