"""Configuration of the app `prints`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PrintsConfig(AppConfig):
    """The app; its label is the last part of its import path."""

    name = "scorekeeper.prints"
    label = "prints"
    verbose_name = _("Prints")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register that files are deleted when a name is erased from their event, and what bundles have of this app."""
        from scorekeeper.bundles.large_bundles import set_starter
        from scorekeeper.bundles.upper_sections import add_section
        from scorekeeper.prints.bundle_section import CERTIFICATES
        from scorekeeper.prints.services.print_files import delete_files
        from scorekeeper.prints.services.print_jobs import start_bundle
        from scorekeeper.scorecards.services.erasure import add_name_cache

        add_name_cache(delete_files)
        add_section(CERTIFICATES)
        set_starter(start_bundle)
