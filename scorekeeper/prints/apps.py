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
        """Register when files are deleted, and what bundles have of this app."""
        from scorekeeper.bundles.section_registry import add_section
        from scorekeeper.bundles.services import set_starter
        from scorekeeper.common.periodic_jobs import PeriodicJob, add_periodic_job
        from scorekeeper.prints.bundle_section import CERTIFICATES
        from scorekeeper.prints.services import delete_files, delete_old_prints, start_bundle
        from scorekeeper.scorecards.services.erasure import add_name_cache

        add_name_cache(delete_files)
        add_section(CERTIFICATES)
        set_starter(start_bundle)
        add_periodic_job(PeriodicJob("delete_prints", DELETE_SECONDS, delete_old_prints))


DELETE_SECONDS = 3600  # between two deletions of old files
