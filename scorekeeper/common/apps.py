"""The Django app `common`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CommonConfig(AppConfig):
    """Configures the app; its label is the last part of its import path."""

    name = "scorekeeper.common"
    label = "common"
    verbose_name = _("Common")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks."""
        from scorekeeper.common import data_folder_check, rights_check  # noqa: F401 - they register themselves
