"""Instead of what changes tables: a phone's are made by the statements in `schema.sql`."""

from __future__ import annotations


class DatabaseSchemaEditor:
    """Is never asked."""
