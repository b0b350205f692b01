"""Configuration of the app `scorecards`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScorecardsConfig(AppConfig):
    """Names the app. Its label is the last part of its import path."""

    name = "scorekeeper.scorecards"
    label = "scorecards"
    verbose_name = _("Scorecards")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the kinds of card. Importing them needs the models of all apps."""
        from scorekeeper.scorecards.by_action import ByAction
        from scorekeeper.scorecards.by_turn import ByTurn
        from scorekeeper.scorecards.card_kinds import CARD_KINDS

        CARD_KINDS.add(ByTurn())
        CARD_KINDS.add(ByAction())
