"""Configuration of the app `embeds`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmbedsConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.embeds"
    label = "embeds"
    verbose_name = _("Embeds and feeds")
    default_auto_field = "django.db.models.BigAutoField"
