"""Folders and files that only their owner can read."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

OTHERS_MODE = 0o077

_creation_lock = threading.Lock()  # so that no thread opens a file that another is still creating


def is_private(path: Path) -> bool:
    """Return whether only the owner has any permission on it."""
    return not path.stat().st_mode & OTHERS_MODE


def make_private(path: Path) -> None:
    """Remove every permission of other users; a path owned by another user is left as it is."""
    with suppress(PermissionError):
        if not is_private(path):
            path.chmod(path.stat().st_mode & ~OTHERS_MODE)


def make_private_folder(path: Path) -> None:
    """Create the folder, readable by its owner alone; an existing folder is left as it is."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Create an empty file, readable by its owner alone, or make an existing file private.

    An existing file is not opened. If this process has it open already, closing it here would release the process's
    locks on it (POSIX advisory locks), and two processes could write to a SQLite database at once.
    """
    with suppress(OSError), _creation_lock:  # opening it later raises the same error, and reports it
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        make_private(path)


def write_private_file(path: Path, text: str) -> None:
    """Write a new file, readable by its owner alone.

    Raises:
        FileExistsError: there is such a file already.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
