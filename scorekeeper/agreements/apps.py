"""Configuration of the app `agreements`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgreementsConfig(AppConfig):
    """Names the app. Its label is the last part of its import path."""

    name = "scorekeeper.agreements"
    label = "agreements"
    verbose_name = _("Agreed cards")
    default_auto_field = "django.db.models.BigAutoField"
