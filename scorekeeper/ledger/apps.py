"""Configuration of the app `ledger`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    """Names the app. Its label is the last part of its import path."""

    name = "scorekeeper.ledger"
    label = "ledger"
    verbose_name = _("Log")
    default_auto_field = "django.db.models.BigAutoField"
