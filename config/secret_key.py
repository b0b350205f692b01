"""The secret key that signs cookies and links, if the environment sets none: generated once and saved with the data."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_create(path: Path) -> str:
    """Return the secret in the file; create the file, readable by its owner alone, if there is none."""
    try:
        secret = path.read_text().strip()
    except FileNotFoundError:
        secret = ""
    return secret or _create(path)


def _create(path: Path) -> str:
    # Written to a temporary file and then linked: if two processes start together, both get the same complete secret.
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
