"""Configuration of the app `prizes`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PrizesConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.prizes"
    label = "prizes"
    verbose_name = _("Prizes")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the awards, which revisions freeze."""
        from scorekeeper.prizes.selectors.revision_awards import PrizeAwards
        from scorekeeper.standings.award_source import AWARD_SOURCES

        AWARD_SOURCES.add(PrizeAwards())
