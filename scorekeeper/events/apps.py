"""Django configuration of the `events` app."""

from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.events"
    label = "events"
    verbose_name = _("Events")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what the sweeper does for accounts. Phones have no sessions, and no sweeper."""
        if not apps.is_installed("django.contrib.sessions"):
            return
        from scorekeeper.common.periodic_jobs import PeriodicJob, add_periodic_job
        from scorekeeper.events.services.accounts import end_access_of_inactive_accounts
        from scorekeeper.events.services.organiser_invitations import delete_expired_invitations
        from scorekeeper.events.services.sessions import delete_ended_sessions

        add_periodic_job(
            PeriodicJob("end_access_of_inactive_accounts", INACTIVE_SECONDS, end_access_of_inactive_accounts)
        )
        add_periodic_job(PeriodicJob("delete_ended_sessions", CLEAN_SECONDS, delete_ended_sessions))
        add_periodic_job(PeriodicJob("delete_expired_invitations", CLEAN_SECONDS, delete_expired_invitations))


INACTIVE_SECONDS, CLEAN_SECONDS = 60, 3600
