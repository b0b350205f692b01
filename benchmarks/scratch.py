"""A scratch database on the local PostgreSQL for a benchmark: created, migrated, and dropped at the end.

The server is found as in the tests (`tests.services`). The database has a unique name, so that nothing else is touched.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.services import find_postgres

DATA_FOLDER = tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True)


@contextmanager
def scratch_database(name: str) -> Iterator[str]:
    """Create an empty database and yield its URL."""
    server = find_postgres()
    if server is None:
        sys.exit("This needs a PostgreSQL server where it can create databases; see CONTRIBUTING.md.")
    database = f"tailgunner_bench_{os.getpid()}_{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{database}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))


def start_django(url: str) -> None:
    """Set up Django in this process on an empty database: migrated, with a temporary data folder and without Redis."""
    os.environ |= {
        "DATABASE_URL": url,
        "DATA_DIR": DATA_FOLDER.name,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
        "REDIS_URL": "",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
