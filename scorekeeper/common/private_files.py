"""Folders and files that nobody but their owner may look into."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

OTHERS_MODE = 0o077

_creation_lock = threading.Lock()  # nobody opens a file that is being made


def is_private(path: Path) -> bool:
    """Return whether only the owner has any right to it."""
    return not path.stat().st_mode & OTHERS_MODE


def make_private(path: Path) -> None:
    """Take every right to it from others; somebody else's is left as it is."""
    with suppress(PermissionError):
        if not is_private(path):
            path.chmod(path.stat().st_mode & ~OTHERS_MODE)


def make_private_folder(path: Path) -> None:
    """Make the folder for its owner alone; one that is there is left as it is."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file for its owner alone, or make the one that is there private.

    One that is there is not opened: in a process that has it open, closing it once would end the locks on it (POSIX
    advisory locks), and two could write to a SQLite database at once.
    """
    with suppress(OSError), _creation_lock:  # whoever opens it next says why it cannot be made
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        make_private(path)
