"""Django configuration of the `stops` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StopsConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.stops"
    label = "stops"
    verbose_name = _("Stops")
    default_auto_field = "django.db.models.BigAutoField"
