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
        """Register the awards, which revisions freeze, and that whoever and whatever class has a prize stays."""
        from scorekeeper.bikes.services import REMOVAL_OBSTACLES
        from scorekeeper.players.class_settings import CLASS_USES
        from scorekeeper.prizes.selectors.decisions import explain_given_prize
        from scorekeeper.prizes.selectors.prize_awards import PrizeAwards
        from scorekeeper.prizes.selectors.prize_lists import count_class_places, explain_class_prizes
        from scorekeeper.standings.award_source import AWARD_SOURCES
        from scorekeeper.standings.selectors.class_boards import CLASS_TIE_PLACES

        CLASS_TIE_PLACES.add(count_class_places)
        CLASS_USES.add(explain_class_prizes)
        AWARD_SOURCES.add(PrizeAwards())
        REMOVAL_OBSTACLES.add(explain_given_prize)
