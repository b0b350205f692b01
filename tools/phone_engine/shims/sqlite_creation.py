"""Instead of `django.db.backends.sqlite3.creation`, which creates test databases."""

from __future__ import annotations

from typing import Any


class DatabaseCreation:
    """Knows that the database is in memory."""

    def __init__(self, connection: Any) -> None:
        """Args: connection: not used."""

    def is_in_memory_db(self, name: str) -> bool:
        """Return True: otherwise Django could close the database, and its data would be lost."""
        return True
