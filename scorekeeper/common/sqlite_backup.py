"""Backups of the SQLite database: made by SQLite while the program runs, checked, and rotated.

PostgreSQL has its own programs for this; see "Backup" in `docs/operations.md`.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from scorekeeper.common.private_files import make_private_file, make_private_folder

# Sorted by name, backups are sorted by time.
NAME_FORMAT = "tailgunner-%Y%m%dT%H%M%SZ.sqlite3"
NAME_PATTERN = re.compile(r"tailgunner-\d{8}T\d{6}Z\.sqlite3")
UNFINISHED_NAME = "unfinished-backup"


class BackupFailed(Exception):
    """There is no new backup; the text says why. Older backups are untouched."""


def back_up(folder: Path) -> Path:
    """Copy the database into the folder as it is at this moment; nobody waits meanwhile.

    Only the owner can read the copy, and a folder that is created here.

    Args:
        folder: where the backups are; created if it does not exist.

    Returns:
        The path of the copy, which is on disk and has passed SQLite's check.

    Raises:
        BackupFailed: there is no SQLite database to copy, or it could not be copied.
    """
    if connection.vendor != "sqlite":
        raise BackupFailed(_("This command copies SQLite only. For PostgreSQL, use pg_dump: see docs/operations.md."))
    try:
        _check_source()
        make_private_folder(folder)
        with _lock_folder(folder) as descriptor:
            target = folder / datetime.now(UTC).strftime(NAME_FORMAT)
            _write_copy(folder / UNFINISHED_NAME)
            (folder / UNFINISHED_NAME).rename(target)
            os.fsync(descriptor)
    except (OSError, DatabaseError, sqlite3.Error) as error:
        raise BackupFailed(
            _("There is no new backup in %(folder)s: %(why)s") % {"folder": folder, "why": error}
        ) from error
    return target


def list_backups(folder: Path) -> list[Path]:
    """Return the backups in the folder, the oldest first; other files are ignored."""
    return sorted(path for path in folder.iterdir() if NAME_PATTERN.fullmatch(path.name) and path.is_file())


def delete_old_backups(folder: Path, keep: int) -> list[Path]:
    """Delete all backups in the folder but the newest, and return the deleted ones.

    Args:
        folder: where the backups are.
        keep: how many stay, at least 1.
    """
    old = list_backups(folder)[:-keep]
    for path in old:
        path.unlink()
    return old


def _check_source() -> None:
    # Connecting would create an empty database, and its backups would replace the good ones, one by one.
    source = Path(connection.settings_dict["NAME"])
    if not source.exists() or not MigrationRecorder(connection).applied_migrations():
        raise BackupFailed(
            _("There is no database in %(folder)s yet. Is DATA_DIR the folder of your event?")
            % {"folder": settings.DATA_DIR}
        )


@contextmanager
def _lock_folder(folder: Path) -> Iterator[int]:
    """Let one process at a time write into the folder; yields a descriptor of the folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _write_copy(path: Path) -> None:
    path.unlink(missing_ok=True)  # a backup that was killed has left it
    try:
        make_private_file(path)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(path)])
        _check_copy(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _check_copy(path: Path) -> None:
    """Expect a sound database, and everything of it on disk."""
    with closing(sqlite3.connect(path)) as copy:
        found = [text for (text,) in copy.execute("PRAGMA integrity_check")]
    if found != ["ok"]:
        raise sqlite3.DatabaseError("; ".join(found))
    with path.open("rb") as file:
        os.fsync(file.fileno())
