"""The system check of the data folder, run by `manage.py check` and by every command that starts something.

Commands that serve no pages run only the checks of `DATA_CHECKS`: loading all pages would take half of their time.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connection

from scorekeeper.common.damaged_files import HELP, describe_damaged_database, describe_unusable
from scorekeeper.common.private_files import is_private
from scorekeeper.common.whole_files import write_whole

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


def find_unusable_file() -> str | None:
    """Return the sentence about a file or folder of the data folder with which the program cannot run; None for none.

    A SQLite database is checked as a whole, which takes a second for some 500 MB.

    Raises:
        OSError, sqlite3.Error: a file cannot be used, for the reason that the error says.
    """
    folder: Path = settings.DATA_DIR
    celery = folder / "celery"
    folders = [folder, settings.STATIC_ROOT, folder / "tls", *([] if settings.REDIS_URL else celery.iterdir())]
    for path in filter(Path.is_dir, folders):
        probe = path / "probe"
        try:
            write_whole(probe, [b""], is_synced=False)
            probe.unlink()
        except OSError as error:
            return describe_unusable(path, error.strerror or "it is not writable")
    return find_damaged_database()


def find_damaged_database() -> str | None:
    """Return the sentence about a SQLite database with which no process can run; None if it is in order.

    Raises:
        OSError, sqlite3.Error: it cannot be used, for the reason that the error says.
    """
    if connection.vendor != "sqlite":
        return None
    database = Path(connection.settings_dict["NAME"])
    for path in (database, *(database.with_name(f"{database.name}{suffix}") for suffix in ("-queue", "-wal", "-shm"))):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            return describe_unusable(path, "it is not writable")
    if not database.exists():
        return _describe_missing(database, "does not exist")
    with closing(sqlite3.connect(database)) as opened:
        found = [text for (text,) in opened.execute("PRAGMA quick_check(1)")]
        tables = opened.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found != ["ok"]:
        return describe_damaged_database(database, found[0])
    if not tables:
        return _describe_missing(database, "is empty")
    return None


def _describe_missing(database: Path, what: str) -> str:
    return (
        f"{database} {what}. If the installation is new, run manage.py migrate. If there were events in it, restore "
        f"the newest backup. {HELP}"
    )
