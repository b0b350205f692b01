"""How the database is reached.

SQLite: writers queue up at BEGIN instead of failing half-way, in the order in which they came
(`scorekeeper.common.sqlite`), and a commit is on the disk when it returns.

PostgreSQL: one connection a thread and no pool. A pool would hold callers back while it tries a stopped server again in
its own, growing, pauses; a thread that connects by itself is refused at once and is back with the server. Whoever
serves calls `keep_connections`, `limit_statements` or both, as its threads allow; a migration or a backup is bound by
neither.

Every number here is in seconds unless its name says otherwise.
"""

from __future__ import annotations

from select import POLLIN, poll
from typing import Any

import dj_database_url
import psycopg
from django.core.signals import request_started
from django.db import connections

POSTGRES = "django.db.backends.postgresql"
SQLITE = "scorekeeper.common.sqlite"
ENGINE_OVERRIDES = {"django.db.backends.sqlite3": SQLITE}  # in the place of Django's own

# Long enough for a busy second, short enough that the answer comes before a person, or the proxy, gives up (30).
STATEMENT_LIMITS = {
    "statement_timeout": "20s",
    # A turn waits for its card; publishing holds all cards of an event for as long as it folds them.
    "lock_timeout": "10s",
    # A process that was stopped in the middle of a transaction must not hold a card for ever.
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
        # A server whose machine has gone says nothing; these say it after 20 seconds instead of two hours.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 20_000,  # milliseconds
        # PGAPPNAME goes before it, so that pg_stat_activity can tell the web from the workers.
        "fallback_application_name": "tailgunner",
        # The same few statements are asked for every roll: the server plans each once and keeps it for the connection.
        "server_side_binding": True,
        "prepare_threshold": 3,
    },
}


def parse_database_url(url: str) -> dict[str, Any]:
    """Return Django's description of the database; options that stand in the URL go before ours."""
    described: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    described["ENGINE"] = ENGINE_OVERRIDES.get(described["ENGINE"], described["ENGINE"])
    ours = OPTIONS.get(described["ENGINE"], {})
    described["OPTIONS"] = ours | described.get("OPTIONS", {})
    return described


def use_persistent_connections() -> None:
    """Let each thread of this process keep its connection; for processes whose threads live long.

    Under ASGI every request has a thread of its own, so there a kept connection would be one thrown away. Before a kept
    connection is used again it is asked whether it still works: a statement more, for no fault after a restart.
    """
    connections.settings["default"]["CONN_MAX_AGE"] = CONNECTION_MAX_AGE


def use_socket_health_checks() -> None:
    """Spare each request of this process that statement: look at the connection's socket instead.

    A server that stops leaves word there, and so does the kernel where its own questions went unanswered (`OPTIONS`).
    """
    described = connections.settings["default"]
    if described["ENGINE"] == POSTGRES:
        described["CONN_HEALTH_CHECKS"] = False
        request_started.connect(_close_lost_connections)


def _close_lost_connections(**_: Any) -> None:
    for connection in connections.all(initialized_only=True):
        kept = connection.connection
        # What is heard may be news that concern nobody, as of a changed setting: then the server still answers.
        if (
            kept is not None
            and not connection.in_atomic_block
            and not _is_socket_idle(kept)
            and not connection.is_usable()
        ):
            connection.close()


def _is_socket_idle(kept: psycopg.Connection[Any]) -> bool:
    """Return whether a connection is open, and nothing has come over it since the last answer."""
    if kept.closed:
        return False
    ear = poll()
    ear.register(kept.fileno(), POLLIN)  # an error or the end is told in any case
    return not ear.poll(0)


def limit_statements() -> None:
    """Let PostgreSQL end what this process waits for too long; the caller is told to send again."""
    described = connections.settings["default"]
    if described["ENGINE"] == POSTGRES:
        limits = " ".join(f"-c {name}={value}" for name, value in STATEMENT_LIMITS.items())
        options = described.setdefault("OPTIONS", {})
        options["options"] = f"{options.get('options', '')} {limits}".strip()
