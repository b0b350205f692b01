"""Django configuration of the `tables` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TablesConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.tables"
    label = "tables"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Register the app's kind of card. Importing it needs the models of all apps."""
        from scorekeeper.scorecards.card_kinds import register_kind
        from scorekeeper.tables.by_action import ByAction

        register_kind(ByAction())
