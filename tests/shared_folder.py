"""Folders that a test run creates once for all its processes; tests copy them instead of creating their own.

Invariant: a folder appears under its name only when it is complete, and is never changed afterwards.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

VARIABLE = "TAILGUNNER_TESTS_SHARED"


def open_shared_folder() -> Path:
    """Create the folder of this run; its processes find it by an environment variable."""
    folder = Path(tempfile.mkdtemp(prefix="tailgunner-shared-"))
    # PostgreSQL's programs run as another user.
    folder.chmod(0o755)
    os.environ[VARIABLE] = str(folder)
    return folder


def get_shared_folder() -> Path:
    """Return the folder of this run, in each of its processes."""
    return Path(os.environ[VARIABLE])


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of that name. The first process to call this creates it; the others wait.

    Args:
        make: fills the empty folder that it gets.
    """
    shared = get_shared_folder()
    folder = shared / name
    with (shared / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=shared) as unfinished:
                make(Path(unfinished))
                shutil.copytree(unfinished, folder, symlinks=True)
    return folder
