"""Configuration of the app `check_in`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CheckInConfig(AppConfig):
    """Names the app. Its label is the last part of its import path."""

    name = "scorekeeper.check_in"
    label = "check_in"
    verbose_name = _("Check-in")
    default_auto_field = "django.db.models.BigAutoField"
