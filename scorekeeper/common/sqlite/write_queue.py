"""The queue of writers to one SQLite file.

SQLite itself has no queue: each writer polls, and a late one may overtake another that has waited for seconds. Here the
writers of a process queue. The first of them competes with other processes for a lock on a file, which the kernel
releases if a process dies.

Invariants:
- Within a process, writers are served in the order in which they came.
- Waiting in the queue has a timeout. Only the first in the queue waits for other processes, and without a timeout: for
  as long as one of them writes.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections import deque
from functools import cache
from pathlib import Path
from typing import IO


class WriteQueue:
    """A fair lock, held by one thread of one process at a time."""

    def __init__(self, path: Path) -> None:
        """Args: path: the file to lock, created when it is first needed; nothing is written to it."""
        self._path = path
        self._reset()
        # A forked child has none of its parent's threads, and would share the parent's lock on the file.
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False
        self._file: IO[bytes] | None = None

    def acquire(self, timeout: float) -> None:
        """Wait until no other writer holds the lock, and take it. Every call needs a `release`.

        Args:
            timeout: seconds to wait for the other threads of this process.

        Raises:
            TimeoutError: they took longer.
        """
        self._join_queue(timeout)
        try:
            if self._file is None:
                self._file = self._path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            self._wake_next()
            raise

    def release(self) -> None:
        """Release the lock to the next writer."""
        assert self._file is not None, "only an acquired lock is released"
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._wake_next()

    def _join_queue(self, timeout: float) -> None:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            # Locked here; the thread ahead in the queue unlocks it.
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=timeout):
            return
        with self._lock:
            # A thread that is woken at the very moment its timeout expires has the lock all the same.
            if turn in self._waiting:
                self._waiting.remove(turn)
                raise TimeoutError

    def _wake_next(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


@cache
def get_write_queue(path: Path) -> WriteQueue:
    """Return this process's queue for the file; there is only one."""
    return WriteQueue(path)
