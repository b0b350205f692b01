"""Configuration of the `audience` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AudienceConfig(AppConfig):
    """The app; its label is the last part of its import path. Its data are models of `events` and `standings`."""

    name = "scorekeeper.audience"
    label = "audience"
    verbose_name = _("Audience")
