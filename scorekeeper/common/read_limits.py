"""The limiter for reads, which are many: a process counts in memory, and adds its counts to the database in batches.

Terms: a *batch* is a twentieth of the limit.

Invariants:
- In any window all processes together let through at most one batch each beyond the limit: two web processes at most
  1.1 times the limit. Limits below 40 are exact.
- A read takes no statement; every batch takes one transaction of two. A client that reads less in a window never
  reaches the database.
- Memory is bounded: beyond `MAX_SUBJECTS`, the client that was away longest is forgotten.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from threading import Lock

from scorekeeper.common.rate_limits import RateLimit, RateLimited, add_uses, count_use
from scorekeeper.common.recent_uses import Uses, count_uses, drop_old_uses, find_wait, merge_uses
from scorekeeper.common.security_log import log_refusal

READ_WINDOW = 60  # seconds: of the limits for reading
BATCHES = 20  # in a limit
MAX_SUBJECTS = 50_000  # counted in one process at a time


class ReadCounter:
    """What one process has counted."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: OrderedDict[tuple[RateLimit, str], _SubjectCount] = OrderedDict()

    def count(self, limit: RateLimit, subject: str, now: float | None = None) -> None:
        """Count a read; arguments as for `count_use`.

        Raises:
            RateLimited: this was once too often.
        """
        if limit.most < 2 * BATCHES:
            count_use(limit, subject, now)
            return
        with self._lock:
            found = self._counts.setdefault((limit, subject), _SubjectCount())
            self._counts.move_to_end((limit, subject))
            if len(self._counts) > MAX_SUBJECTS:
                self._counts.popitem(last=False)
        found.add(limit, subject, time.time() if now is None else now)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._counts.clear()


class _SubjectCount:
    """The reads of one subject: what the database had last time, and what was counted here since."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._shared: Uses = []
        self._pending: Uses = []

    def add(self, limit: RateLimit, subject: str, now: float) -> None:
        with self._lock:
            self._shared = drop_old_uses(self._shared, limit.window, now)
            self._pending = drop_old_uses(self._pending, limit.window, now)
            if wait := find_wait(
                merge_uses([self._shared, self._pending], limit.window), limit.most, limit.window, now
            ):
                log_refusal("limited", limit=limit.name, wait=math.ceil(wait))
                raise RateLimited(wait)
            self._pending = merge_uses([self._pending, [[now, 1]]], limit.window)
            if count_uses(self._pending) >= limit.most // BATCHES:
                self._shared = add_uses(limit, subject, self._pending, now)
                self._pending = []


_counter = ReadCounter()
count_read = _counter.count
clear_read_counts = _counter.clear
