"""Instead of `django.db.backends.sqlite3._functions`: no query of the crew's pages takes dates apart or does sums."""

from __future__ import annotations

from typing import Any


def register(connection: Any) -> None:
    """Add nothing to what SQLite can do."""
