"""The room `live` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LiveConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.live"
    label = "live"
    verbose_name = _("Live pages")
    default_auto_field = "django.db.models.BigAutoField"
