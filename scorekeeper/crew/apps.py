"""Django configuration of the `crew` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CrewConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.crew"
    label = "crew"
    verbose_name = _("Crew")
    default_auto_field = "django.db.models.BigAutoField"
