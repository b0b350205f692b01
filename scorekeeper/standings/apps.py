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
        """Let the room tell whoever watches how the standings and the sweeper fare."""
        from scorekeeper.common.metrics import add_collector
        from scorekeeper.common.readiness import add_readiness_report
        from scorekeeper.standings.selectors.lag import read_lag
        from scorekeeper.standings.selectors.last_sweep import count_sweeps, report_last_sweep

        add_collector(read_lag)
        add_collector(count_sweeps)
        add_readiness_report(report_last_sweep)
