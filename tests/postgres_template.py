"""A migrated PostgreSQL database, and static files, of which each process of a run gets a copy."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier

from tests.demo_data import fill_data
from tests.services import find_postgres
from tests.shared_folder import get_shared_folder, make_once

_OF_URL = re.compile(r"^(\w+://[^/?]*)(/[^?]*)?")  # the server of a URL, and the name of the database


def make_template() -> Path:
    """Return a data folder with collected static files, whose database is the template. It is made once in a run."""
    return make_once("postgres", partial(_migrate, name_template()))


def name_template() -> str:
    """Return the name of the template, which is this run's own."""
    return f"tailgunner_tests_{get_shared_folder().name}"


def drop_template() -> None:
    """Drop the template, if there is one."""
    _run("DROP DATABASE IF EXISTS {}", name_template())


def _migrate(name: str, data: Path) -> None:
    drop_template()  # of an attempt that failed
    _run("CREATE DATABASE {}", name)
    fill_data(data, DATABASE_URL=_OF_URL.sub(rf"\1/{name}", _find_server()))


def _run(statement: str, name: str) -> None:
    with psycopg.connect(_find_server(), autocommit=True) as connection:
        connection.execute(SQL(statement).format(Identifier(name)))


def _find_server() -> str:
    server = find_postgres()
    assert server is not None
    return server
