"""The room `standings` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StandingsConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.standings"
    label = "standings"
    verbose_name = _("Standings")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the room's readings be taken."""
        from scorekeeper.common.metrics import add_reading
        from scorekeeper.standings.selectors.lag import read_lag

        add_reading(read_lag)
