"""The room `players` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.players"
    label = "players"
    verbose_name = _("Players")
    default_auto_field = "django.db.models.BigAutoField"
