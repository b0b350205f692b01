"""The room `api` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.api"
    label = "api"
    verbose_name = _("API for phones")
    default_auto_field = "django.db.models.BigAutoField"
