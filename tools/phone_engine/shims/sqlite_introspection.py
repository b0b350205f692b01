"""Instead of `django.db.backends.sqlite3.introspection` and `.client`: a phone never inspects its tables."""

from __future__ import annotations

from typing import Any


class DatabaseIntrospection:
    """Never used."""

    def __init__(self, connection: Any) -> None:
        """Args: connection: not used."""


class DatabaseClient(DatabaseIntrospection):
    """Never used."""


class FlexibleFieldLookupDict:
    """Never used."""
