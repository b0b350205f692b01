"""Instead of `django.db.backends.sqlite3.creation`, which makes databases for tests."""

from __future__ import annotations

from typing import Any


class DatabaseCreation:
    """Knows that the database lies in memory."""

    def __init__(self, connection: Any) -> None:
        """Args: connection: is not needed."""

    def is_in_memory_db(self, name: str) -> bool:
        """Return true: closed by mistake, all of it would be gone."""
        return True
