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
        """Register when files are deleted, and who makes large bundles."""
        from scorekeeper.bundles.services import LARGE_BUNDLES
        from scorekeeper.common.periodic_jobs import PERIODIC_JOBS, PeriodicJob
        from scorekeeper.prints.services import delete_files, delete_old_prints, start_bundle
        from scorekeeper.scorecards.services.erasure import NAME_CACHES

        NAME_CACHES.add(delete_files)
        LARGE_BUNDLES.add(start_bundle)
        PERIODIC_JOBS.add(PeriodicJob("delete_prints", DELETE_SECONDS, delete_old_prints))


DELETE_SECONDS = 3600  # between two deletions of old files
