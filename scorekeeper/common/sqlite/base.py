"""The database backend: a writer waits in the queue first, for a transaction as well as for a single statement."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from scorekeeper.common.private_files import make_private_file
from scorekeeper.common.sqlite.write_queue import WriteQueue, get_write_queue

DEFAULT_TIMEOUT = 5.0  # seconds, as SQLite's own
_WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to SQLite.

    Every transaction may write from its BEGIN to its end, since `transaction_mode` begins it as a writer's. Only a
    database at a plain path has a queue: one in memory has a single user, and one given by a URI is not ours.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._held_queue: WriteQueue | None = None
        self.execute_wrappers.append(self._execute)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the database, readable by its owner alone; SQLite gives its other files the same permissions."""
        if self._has_plain_path():
            make_private_file(Path(self.settings_dict["NAME"]))
        return super().get_new_connection(conn_params)

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
        if self._held_queue is not None or not _WRITES.match(sql):
            return execute(sql, params, many, context)
        self._acquire()
        try:
            return execute(sql, params, many, context)
        finally:
            self._release()

    def _start_transaction_under_autocommit(self) -> None:
        self._acquire()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._release()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._release()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._release()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release()
