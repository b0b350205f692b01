"""Writing files whole: after a power cut a file has its old content or its new content, and never half of it.

A file is written under a temporary name, brought to the disk, and only then renamed. The folder is brought to the disk
too, since it is what the name is in.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable
from pathlib import Path

UNFINISHED_SUFFIX = ".unfinished"


def write_whole(path: Path, chunks: Iterable[bytes], mode: int = 0o666, *, is_synced: bool = True) -> None:
    """Write a file, replacing an existing one.

    Args:
        chunks: the content.
        mode: the permissions of the new file, less the process's umask.
        is_synced: whether the file is on disk afterwards. Where many files are written, one `os.sync` is quicker.

    Raises:
        OSError: it could not be written. The temporary file is deleted, and an existing file is unchanged.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}-{uuid.uuid4().hex[:8]}{UNFINISHED_SUFFIX}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.writelines(chunks)
            if is_synced:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    if is_synced:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
