"""Django configuration of the `results` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResultsConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.results"
    label = "results"
    verbose_name = _("Results")
    default_auto_field = "django.db.models.BigAutoField"
