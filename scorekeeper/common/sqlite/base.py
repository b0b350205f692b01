"""The database backend: a writer waits in the queue first, for a transaction as well as for a single statement.

A transaction takes its place in the queue by the statement that begins it, and leaves it by the connection's own
`commit`, `rollback` or `close`. A plain BEGIN begins a snapshot for reading (`common.database_snapshot`) and waits for
nobody.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from scorekeeper.common.private_files import make_private_file
from scorekeeper.common.sqlite.write_queue import WriteQueue, get_write_queue

DEFAULT_TIMEOUT = 5.0  # seconds, as SQLite's own
_WRITES = re.compile(r"\s*(?:(BEGIN IMMEDIATE)|INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)


class Connection(sqlite3.Connection):
    """A connection that calls `on_end` at the end of a transaction."""

    on_end: Callable[[], None] | None = None

    def commit(self) -> None:
        """Commit; a transaction that could not be committed has not ended."""
        super().commit()
        self._end()

    def rollback(self) -> None:
        """Roll back."""
        try:
            super().rollback()
        finally:
            self._end()

    def close(self) -> None:
        """Close the connection."""
        try:
            super().close()
        finally:
            self._end()

    def _end(self) -> None:
        if self.on_end is not None:
            self.on_end()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to SQLite.

    Every transaction may write from its BEGIN to its end, since `transaction_mode` begins it as a writer's. Only a
    database at a plain path has a queue: one in memory has a single user, and one given by a URI is not ours.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._held_queue: WriteQueue | None = None
        self.execute_wrappers.append(self._execute)

    def get_connection_params(self) -> dict[str, Any]:
        """Return what the connection is opened with."""
        return {**super().get_connection_params(), "factory": Connection}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the database, readable by its owner alone; SQLite gives its other files the same permissions."""
        if self._has_plain_path():
            make_private_file(Path(self.settings_dict["NAME"]))
        connection = super().get_new_connection(conn_params)
        connection.on_end = self._release
        return connection

    def _has_plain_path(self) -> bool:
        return not (self.is_in_memory_db() or str(self.settings_dict["NAME"]).startswith("file:"))

    def _acquire(self) -> None:
        if self._held_queue is not None or not self._has_plain_path():
            return
        queue = get_write_queue(Path(f"{self.settings_dict['NAME']}-queue"))
        try:
            queue.acquire(self.settings_dict["OPTIONS"].get("timeout", DEFAULT_TIMEOUT))
        except TimeoutError as error:
            raise OperationalError("database is locked: others have been writing for too long") from error
        self._held_queue = queue

    def _release(self) -> None:
        queue, self._held_queue = self._held_queue, None
        if queue is not None:
            queue.release()

    def _execute(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        written = None if self._held_queue is not None else _WRITES.match(sql)
        if written is None:
            return execute(sql, params, many, context)
        self._acquire()
        has_begun = False
        try:
            result = execute(sql, params, many, context)
            has_begun = written[1] is not None
            return result
        finally:
            if not has_begun:
                self._release()
