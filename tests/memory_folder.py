"""Keeps the data of a parallel run in memory.

Programs under test write each turn to the disk for good. A busy disk may take five seconds for that, in which a page
shows nothing new and tests fail that are not about disks. Runs of one process and full runs (FAULTS=full), which
measure figures, use the disk.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import IO

MEMORY = Path("/dev/shm")
NEEDED = 6 * 1024**3  # bytes: a run has up to two, and programs and browsers need memory as well
LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container
PREFIX = "tailgunner-"
LOCK = "lock"  # of a folder whose run goes on

_held: list[IO[str]] = []


def move_to_memory(memory: Path = MEMORY) -> Path | None:
    """Create all temporary folders of this process, and of those that it starts, in memory.

    Deletes what earlier runs left there because they were killed.

    Args:
        memory: a folder in memory.

    Returns:
        The folder of them all, to delete at the end; None where memory is short, or where TMPDIR names another place.
    """
    if "TMPDIR" in os.environ or not _is_usable(memory):
        return None
    for folder in memory.glob(f"{PREFIX}*"):
        _delete_if_left(folder)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=memory))
    folder.chmod(0o755)  # PostgreSQL's programs run as another user
    lock = (folder / LOCK).open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    _held.append(lock)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # what Python has remembered
    return folder


def _delete_if_left(folder: Path) -> None:
    try:
        with (folder / LOCK).open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:  # its run goes on, it has only just been created, or it belongs to another user
        return


def _is_usable(memory: Path) -> bool:
    if not os.access(memory, os.W_OK) or os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return False
    return min(shutil.disk_usage(memory).free, *_read_limits()) >= NEEDED


def _read_limits() -> list[int]:
    """Return how many bytes of memory are free, and how many this container may have."""
    found = re.search(r"^MemAvailable: +(\d+) kB$", Path("/proc/meminfo").read_text("ascii"), re.MULTILINE)
    limits = [int(found[1]) * 1024] if found else [0]
    if LIMIT.exists() and (limit := LIMIT.read_text("ascii").strip()).isdecimal():
        limits.append(int(limit))
    return limits
