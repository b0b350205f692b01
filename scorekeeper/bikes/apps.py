"""Django configuration of the `bikes` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BikesConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.bikes"
    label = "bikes"
    verbose_name = _("Bikes")
    default_auto_field = "django.db.models.BigAutoField"
