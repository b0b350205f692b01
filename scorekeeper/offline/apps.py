"""The room `offline` as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OfflineConfig(AppConfig):
    """Names the room; its label is the last part of its import path."""

    name = "scorekeeper.offline"
    label = "offline"
    verbose_name = _("No signal")
