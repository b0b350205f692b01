"""Django configuration of the `players` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.players"
    label = "players"
    verbose_name = _("Players")
    default_auto_field = "django.db.models.BigAutoField"
