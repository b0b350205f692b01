"""Django configuration of the `tables` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TablesConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.tables"
    label = "tables"
    verbose_name = _("Tables")
