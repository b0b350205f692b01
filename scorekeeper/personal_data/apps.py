"""Configuration of the `personal_data` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PersonalDataConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.personal_data"
    label = "personal_data"
    verbose_name = _("Personal data")
    default_auto_field = "django.db.models.BigAutoField"
