"""Database connections: their options, lifetimes and time limits.

SQLite: writers queue at BEGIN, in the order in which they came (`scorekeeper.common.sqlite`), so none fails half-way
through. A commit is on disk when it returns.

PostgreSQL: one connection per thread and no pool. A pool retries a stopped server at its own, growing intervals, and
requests wait for that. A thread that connects by itself fails at once, and succeeds as soon as the server is back.

A server process calls `use_persistent_connections`, `limit_statements` or both, depending on its threads. Neither
applies to a migration or a backup.

All numbers are in seconds unless their names say otherwise.
"""

from __future__ import annotations

from select import POLLIN, poll
from typing import TYPE_CHECKING, Any

import dj_database_url
from django.core.signals import request_started
from django.db import connections

if TYPE_CHECKING:
    import psycopg

POSTGRES = "django.db.backends.postgresql"
SQLITE = "scorekeeper.common.sqlite"
ENGINE_OVERRIDES = {"django.db.backends.sqlite3": SQLITE}  # ours in place of Django's

# Long enough for a busy second, and short enough to respond before people or the proxy give up (30).
STATEMENT_LIMITS = {
    "statement_timeout": "20s",
    # Recording a turn waits for the lock on its card. Publishing locks all cards of an event while it replays them.
    "lock_timeout": "10s",
    # A process that was stopped in the middle of a transaction must not lock a card for ever.
    "idle_in_transaction_session_timeout": "30s",
}
CONNECTION_MAX_AGE = 600

OPTIONS: dict[str, dict[str, Any]] = {
    SQLITE: {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
    },
    POSTGRES: {
        "connect_timeout": 3,
        # A server whose machine is gone sends nothing. With these, that is noticed after 20 seconds, not two hours.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 20_000,  # milliseconds
        # PGAPPNAME overrides it, so that pg_stat_activity distinguishes web processes from workers.
        "fallback_application_name": "tailgunner",
        # Every roll runs the same few statements: the server plans each of them once per connection.
        "server_side_binding": True,
        "prepare_threshold": 3,
    },
}


def parse_database_url(url: str) -> dict[str, Any]:
    """Return Django's settings of the database; options in the URL override ours."""
    database: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    database["ENGINE"] = ENGINE_OVERRIDES.get(database["ENGINE"], database["ENGINE"])
    defaults = OPTIONS.get(database["ENGINE"], {})
    database["OPTIONS"] = defaults | database.get("OPTIONS", {})
    return database


def use_persistent_connections() -> None:
    """Keep one open connection per thread in this process; for processes with long-lived threads.

    Under ASGI every request has a thread of its own, so a persistent connection would be wasted. Before an open
    connection is used again, a query checks that it still works: one more statement, but no error after a restart.
    """
    connections.settings["default"]["CONN_MAX_AGE"] = CONNECTION_MAX_AGE


def use_socket_health_checks() -> None:
    """Save each request of this process that query: check the connection's socket instead.

    A server that stops sends a message, and the kernel closes the socket if its keepalives get no reply (`OPTIONS`).
    """
    database = connections.settings["default"]
    if database["ENGINE"] == POSTGRES:
        database["CONN_HEALTH_CHECKS"] = False
        request_started.connect(_close_lost_connections)


def _close_lost_connections(**_: Any) -> None:
    for wrapper in connections.all(initialized_only=True):
        connection = wrapper.connection
        # The received data may be harmless, such as a notice of a changed setting: then the connection still works.
        if (
            connection is not None
            and not wrapper.in_atomic_block
            and not _is_socket_idle(connection)
            and not wrapper.is_usable()
        ):
            wrapper.close()


def _is_socket_idle(connection: psycopg.Connection[Any]) -> bool:
    """Return whether a connection is open and has received nothing since the last response."""
    if connection.closed:
        return False
    poller = poll()
    poller.register(connection.fileno(), POLLIN)  # errors and the end of the stream are always reported
    return not poller.poll(0)


def limit_statements() -> None:
    """Let PostgreSQL cancel statements of this process that take too long; the client is asked to send again."""
    database = connections.settings["default"]
    if database["ENGINE"] == POSTGRES:
        limits = " ".join(f"-c {name}={value}" for name, value in STATEMENT_LIMITS.items())
        options = database.setdefault("OPTIONS", {})
        options["options"] = f"{options.get('options', '')} {limits}".strip()
