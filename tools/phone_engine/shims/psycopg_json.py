"""Instead of `psycopg.types.json`: on a phone no value is ever wrapped for PostgreSQL."""

from __future__ import annotations


class Jsonb:
    """Never instantiated."""

    obj: object
