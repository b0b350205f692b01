"""Instead of `django.db.backends.sqlite3.schema`: a phone's tables are created by the statements in `schema.sql`."""

from __future__ import annotations


class DatabaseSchemaEditor:
    """Never used."""
