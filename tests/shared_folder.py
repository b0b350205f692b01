"""What one run of the tests makes once, for all its processes: folders that tests copy instead of making them anew.

Invariant: a folder appears under its name when it is complete, and nobody writes to it afterwards.
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
    """Make the folder of this run; the processes that it starts find it by a variable of their environment."""
    folder = Path(tempfile.mkdtemp(prefix="tailgunner-shared-"))
    # PostgreSQL's programs run as someone else.
    folder.chmod(0o755)
    os.environ[VARIABLE] = str(folder)
    return folder


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of that name; the first process that asks for it has it made, the others wait.

    Args:
        make: gets an empty folder and fills it.
    """
    shared = Path(os.environ[VARIABLE])
    folder = shared / name
    with (shared / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=shared) as unfinished:
                make(Path(unfinished))
                shutil.copytree(unfinished, folder, symlinks=True)
    return folder
