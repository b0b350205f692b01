"""The Django app `api`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """App config; the label is the last part of the import path."""

    name = "scorekeeper.api"
    label = "api"
    verbose_name = _("API for phones")
    default_auto_field = "django.db.models.BigAutoField"
