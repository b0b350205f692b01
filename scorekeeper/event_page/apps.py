"""Configuration of the app `event_page`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventPageConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.event_page"
    label = "event_page"
    verbose_name = _("Event page")
    default_auto_field = "django.db.models.BigAutoField"
