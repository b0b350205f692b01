"""The phone's database: in memory, and recreated for every ride that is loaded."""

from __future__ import annotations

from pathlib import Path

from django.apps import apps
from django.db import connection

# In a build it is next to this module. `page_crawler` writes it with `build_schema`.
SCHEMA_FILE = Path(__file__).with_name("schema.sql")


def reset_database() -> None:
    """Replace the database with empty tables."""
    _drop_database()
    schema = SCHEMA_FILE.read_text("utf-8") if SCHEMA_FILE.exists() else build_schema()
    with connection.cursor() as cursor:
        cursor.executescript(schema)


def build_schema() -> str:
    """Return the statements that create the tables of the current models.

    There are no append-only guards and no migrations: a phone's tables live for a few hours, and only its own pages
    write to them.
    """
    _drop_database()
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.proxy:  # noqa: SLF001 - it has no table of its own
                continue
            editor.create_model(model)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%%'")
        statements = [row[0] for row in cursor.fetchall()]
    _drop_database()
    return "".join(f"{statement};\n" for statement in statements)


def _drop_database() -> None:
    """Drop the database. Django's own `close` does not close databases in memory."""
    if connection.connection is not None:
        connection.connection.close()
        connection.connection = None
