"""Configuration of the `dice` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DiceConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.dice"
    label = "dice"
    verbose_name = _("Dice")
    default_auto_field = "django.db.models.BigAutoField"
