"""Configuration of the `desk` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.desk"
    label = "desk"
    verbose_name = _("Organiser’s desk")
    default_auto_field = "django.db.models.BigAutoField"
