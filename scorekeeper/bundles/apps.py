"""Configuration of the `bundles` app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BundlesConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.bundles"
    label = "bundles"
    verbose_name = _("Bundles")
    default_auto_field = "django.db.models.BigAutoField"
