"""Configuration of the app `seasons`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeasonsConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.seasons"
    label = "seasons"
    verbose_name = _("Seasons")
    default_auto_field = "django.db.models.BigAutoField"
