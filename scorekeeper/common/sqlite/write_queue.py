"""The queue of those who want to write into one SQLite file.

SQLite itself lets whoever happens to ask at the right moment write next: each asks again after a pause, and one who
comes late may go before one who has waited for seconds. Here the writers of a process queue, and the first of them
waits with those of other processes for a lock on a file, which the kernel takes back from a process that dies.

Invariants:
- Within a process whoever came first is first.
- Nobody stays in the queue for longer than they want to. Only the first waits for other processes, and for as long as
  one of them writes.
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
    """A lock that is given out in the order in which it was asked for, to one thread of one process at a time."""

    def __init__(self, path: Path) -> None:
        """Args: path: the file to lock, made when it is first needed; nothing is written into it."""
        self._path = path
        self._reset()
        # A child has none of its parent's threads, and what the parent has locked would be locked by the child as well.
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False
        self._file: IO[bytes] | None = None

    def acquire(self, patience: float) -> None:
        """Return when nobody else may write; every return wants a `release`.

        Args:
            patience: seconds to wait for the other threads of this process.

        Raises:
            TimeoutError: they took longer.
        """
        self._join_queue(patience)
        try:
            if self._file is None:
                self._file = self._path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            self._wake_next()
            raise

    def release(self) -> None:
        """Let the next one write."""
        assert self._file is not None, "it is released only after it was acquired"
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._wake_next()

    def _join_queue(self, patience: float) -> None:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            # Locked here; the one that is ahead in the queue unlocks it.
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        if called.acquire(timeout=patience):
            return
        with self._lock:
            # Whoever is called in the very moment in which the patience ends is the next all the same.
            if called in self._waiting:
                self._waiting.remove(called)
                raise TimeoutError

    def _wake_next(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


@cache
def get_write_queue(path: Path) -> WriteQueue:
    """Return the one queue of this process for the file."""
    return WriteQueue(path)
