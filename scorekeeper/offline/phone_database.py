"""The phone's database: in memory, made anew for every ride that is loaded."""

from __future__ import annotations

from pathlib import Path

from django.apps import apps
from django.db import connection

# Beside this file as built; a build makes it by `make_schema`.
SCHEMA_FILE = Path(__file__).with_name("schema.sql")


def reset_database() -> None:
    """Begin with empty tables, whatever was there before."""
    _drop_database()
    schema = SCHEMA_FILE.read_text("utf-8") if SCHEMA_FILE.exists() else build_schema()
    with connection.cursor() as cursor:
        cursor.executescript(schema)


def build_schema() -> str:
    """Return the statements that make the tables, from the models as they are; nothing is changed for it.

    They are made without guards and migrations: a phone's tables live for a few hours, and grow by its own pages alone.
    """
    _drop_database()
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%%'")
        statements = [row[0] for row in cursor.fetchall()]
    _drop_database()
    return "".join(f"{statement};\n" for statement in statements)


def _drop_database() -> None:
    """End the database. Django's own way to close one spares those in memory."""
    if connection.connection is not None:
        connection.connection.close()
        connection.connection = None
