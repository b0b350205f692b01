"""The Django app `offline`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OfflineConfig(AppConfig):
    """App config; the label is the last part of the import path."""

    name = "scorekeeper.offline"
    label = "offline"
    verbose_name = _("No signal")
