"""Configuration of the app `push`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PushConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.push"
    label = "push"
    verbose_name = _("Notifications")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what the sweeper does for notifications."""
        from scorekeeper.common.periodic_jobs import PERIODIC_JOBS, PeriodicJob
        from scorekeeper.common.task_runs import TASK_RELEASES, TaskRelease
        from scorekeeper.push.asking import ask_for_due_messages, make_first_key, release_claims
        from scorekeeper.push.services import delete_what_is_over, notice_news

        TASK_RELEASES.add(TaskRelease("push.send", release_claims))
        PERIODIC_JOBS.add(PeriodicJob("make_push_key", CLEAN_SECONDS, make_first_key))
        PERIODIC_JOBS.add(PeriodicJob("notice_push_news", NOTICE_SECONDS, notice_news))
        PERIODIC_JOBS.add(PeriodicJob("ask_for_push_messages", NOTICE_SECONDS, ask_for_due_messages))
        PERIODIC_JOBS.add(PeriodicJob("delete_push_subscriptions", CLEAN_SECONDS, delete_what_is_over))


NOTICE_SECONDS, CLEAN_SECONDS = 5, 3600
