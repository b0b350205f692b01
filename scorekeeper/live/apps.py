"""The Django app `live`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LiveConfig(AppConfig):
    """Configures the app; its label is the last part of its import path."""

    name = "scorekeeper.live"
    label = "live"
    verbose_name = _("Live pages")
    default_auto_field = "django.db.models.BigAutoField"
