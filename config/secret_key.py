"""The secret key that signs cookies and links, if the environment sets none: generated once and saved with the data."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from scorekeeper.common.damaged_files import describe_damaged
from scorekeeper.common.whole_files import UNFINISHED_SUFFIX, sync_folder

_SECRET = re.compile(rb"[!-~]{50,}")  # as long as Django wants it; those that are made here have 64 characters


def read_or_create(path: Path) -> str:
    """Return the secret in the file; create the file, readable by its owner alone, if there is none.

    Raises:
        SystemExit: the file is damaged. A new secret would sign everybody out, so a person has to decide that.
        OSError: it cannot be read or written.
    """
    try:
        secret = path.read_bytes().strip()
    except FileNotFoundError:
        _create(path)
        secret = path.read_bytes().strip()
    if _SECRET.fullmatch(secret) is None:
        raise SystemExit(
            describe_damaged(
                path,
                "it has no secret of at least 50 characters",
                "Restore it from a backup. Or delete it: the program creates a new one, and everybody has to sign in "
                "again, phones too.",
            )
        )
    return secret.decode("ascii")


def _create(path: Path) -> None:
    # Written to a temporary file and then linked: if two processes start together, both get the same complete secret.
    draft = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED_SUFFIX}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    sync_folder(path.parent)
