"""The room `results` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResultsConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.results"
    label = "results"
    verbose_name = _("Results")
    default_auto_field = "django.db.models.BigAutoField"
