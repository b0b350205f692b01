"""Instead of `django.db.backends.sqlite3.introspection` and `.client`: nobody asks a phone what tables it has."""

from __future__ import annotations

from typing import Any


class DatabaseIntrospection:
    """Is never asked."""

    def __init__(self, connection: Any) -> None:
        """Args: connection: is not needed."""


class DatabaseClient(DatabaseIntrospection):
    """Starts nothing."""


class FlexibleFieldLookupDict:
    """Is never asked either."""
