"""Configuration of the app `coach`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoachConfig(AppConfig):
    """Names the app. Its label is the last part of its import path."""

    name = "scorekeeper.coach"
    label = "coach"
    verbose_name = _("Values during play")
    default_auto_field = "django.db.models.BigAutoField"
