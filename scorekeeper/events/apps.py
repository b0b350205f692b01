"""Django configuration of the `events` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.events"
    label = "events"
    verbose_name = _("Events")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Follow an account's language from when someone signs in."""
        from scorekeeper.events.services import account_language  # noqa: F401 - it registers itself
