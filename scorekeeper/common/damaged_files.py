"""Why a file of the data folder cannot be used, in a sentence with a way out.

A power cut, a full disk or a wrong owner damages files. What can be made again is made again; everything else is named
here, for every command and every process, instead of a traceback. The texts are plain English, since they are needed
before the settings are complete.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

HELP = "See “Damaged files” in docs/operations.md."
# Extended codes of SQLite have the primary code in their lowest byte.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNUSABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}


def describe_unusable(path: Path | str, why: str) -> str:
    """Return the sentence about a file or folder that cannot be read or written."""
    return f"{path} cannot be used: {why}. The program's user must be able to read and write it. {HELP}"


def describe_damaged(path: Path | str, why: str, way_out: str) -> str:
    """Return the sentence about a file whose content is damaged."""
    return f"{path} is damaged: {why}. {way_out} {HELP}"


def describe_damaged_database(path: Path | str, why: str) -> str:
    """Return the sentence about a SQLite database that is damaged or empty."""
    return describe_damaged(path, why, "Restore the newest backup.")


def explain_error(error: BaseException, folder: Path, database: str) -> str | None:
    """Return the sentence about an error that a file of the data folder has caused; None if it was something else.

    Args:
        error: as it was raised, by the system, by SQLite, or by Django because of SQLite.
        folder: the data folder.
        database: the path of the SQLite database; "" if there is none.
    """
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    if database and isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            return describe_damaged_database(database, str(cause))
        if code in _UNUSABLE:
            return describe_unusable(database, str(cause))
    if isinstance(error, OSError) and error.filename is not None:
        path = Path(str(error.filename))
        if path == folder or folder in path.parents:
            return describe_unusable(path, error.strerror or type(error).__name__)
    return None
