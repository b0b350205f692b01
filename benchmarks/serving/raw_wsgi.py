"""The minimal arm: a WSGI function that runs one statement on PostgreSQL and commits it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

import psycopg

_local = threading.local()


def make_table() -> None:
    """Create the table that the statement fills."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE roll (id bigserial PRIMARY KEY, body text NOT NULL, at timestamptz NOT NULL)")


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if not hasattr(_local, "connection"):
        _local.connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
    _local.connection.execute("INSERT INTO roll (body, at) VALUES (%s, now())", [body])
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", "2")])
    return [b"{}"]
