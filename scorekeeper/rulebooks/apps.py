"""Django configuration of the `rulebooks` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RulebooksConfig(AppConfig):
    """Configuration of the app; its label is the last part of its import path."""

    name = "scorekeeper.rulebooks"
    label = "rulebooks"
    verbose_name = _("Rule books")
    default_auto_field = "django.db.models.BigAutoField"
