"""The system check of the data folder, run by `manage.py check` and by every command that starts something.

Commands that serve no pages run only the checks of `DATA_CHECKS`: loading all pages would take half of their time.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks

from scorekeeper.common.private_files import is_private

DATA_CHECKS = ["data_folder"]


@checks.register(*DATA_CHECKS)
def check_data_folder(app_configs: Any = None, **options: Any) -> list[checks.CheckMessage]:
    """Warn if other users of this machine can read the data folder. It may be shared on purpose, so only warn."""
    if is_private(settings.DATA_DIR):
        return []
    folder = settings.DATA_DIR
    return [
        checks.Warning(f"Others on this machine can read {folder}.", hint=f"Run: chmod 700 {folder}", id="common.W001")
    ]
