"""The secret that signs cookies and links: given by the environment, or made once and kept with the data."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_create(path: Path) -> str:
    """Return the secret kept in the file; make the file, readable by its owner alone, when there is none."""
    try:
        kept = path.read_text().strip()
    except FileNotFoundError:
        kept = ""
    return kept or _make(path)


def _make(path: Path) -> str:
    # Written under a name of its own and linked into place: of two processes that start together, one wins whole.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip()
