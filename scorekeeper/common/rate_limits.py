"""Limits of how often something is done within a minute: by a network address, or with a token.

Terms: a *window* is a minute of the clock; with the next one, counting starts again.

Invariants:
- Counting writes nothing to the database: it is done for reads, which are many.
- With Redis, all processes count together. Without it, or while it cannot be reached, each process counts for itself:
  a limit that lets through a few more is better than a read that waits or fails.
- Addresses are counted by a keyed digest.
"""

from __future__ import annotations

import time
from collections import Counter
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import structlog
from django.conf import settings

if TYPE_CHECKING:
    from redis import Redis

WINDOW = 60  # seconds
KEY_PREFIX = "tailgunner:rate:"
REDIS_TIMEOUT = 0.2  # seconds that Redis may take to respond
REDIS_PAUSE = 10.0  # seconds without asking Redis again after it did not respond
MAX_SUBJECTS = 50_000  # counted in one process at a time

log = structlog.get_logger("tailgunner.rate_limits")


class RateLimited(Exception):
    """It was done too often.

    Attributes:
        wait: seconds until it can be done again.
    """

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class _ProcessCounts:
    """What this process has counted in the current window, and since when it does not ask Redis."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._window = 0
        self._counts: Counter[str] = Counter()
        self.redis_failed_at: float | None = None

    def add(self, key: str, window: int) -> int:
        """Count once, and return how often that makes it."""
        with self._lock:
            if window != self._window or len(self._counts) >= MAX_SUBJECTS:
                self._window, self._counts = window, Counter()
            self._counts[key] += 1
            return self._counts[key]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._counts, self.redis_failed_at = Counter(), None


_process = _ProcessCounts()
clear_counts = _process.clear


def count_use(name: str, subject: str, limit: int) -> None:
    """Count that something is done.

    Args:
        name: what is done.
        subject: by whom: the digest of an address, or the id of a token.
        limit: how often it may be done in a window; 0 for as often as anyone likes.

    Raises:
        RateLimited: this was once too often.
    """
    if not limit:
        return
    now = time.time()
    window = int(now // WINDOW)
    if _count(f"{name}:{subject}", window) > limit:
        raise RateLimited(max(1, round((window + 1) * WINDOW - now)))


def _count(key: str, window: int) -> int:
    failed_at = _process.redis_failed_at
    if not settings.REDIS_URL or (failed_at is not None and time.monotonic() - failed_at < REDIS_PAUSE):
        return _process.add(key, window)
    from redis import RedisError

    try:
        pipeline = _connect(settings.REDIS_URL).pipeline(transaction=False)
        redis_key = f"{KEY_PREFIX}{window}:{key}"
        pipeline.incr(redis_key)
        pipeline.expire(redis_key, 2 * WINDOW)
        count, _is_set = pipeline.execute()
    except RedisError as error:
        log.warning("not_counted_together", error=type(error).__name__)
        _process.redis_failed_at = time.monotonic()
        return _process.add(key, window)
    return int(count)


@cache
def _connect(url: str) -> Redis:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Redis.from_url(
        url, socket_connect_timeout=REDIS_TIMEOUT, socket_timeout=REDIS_TIMEOUT, retry=Retry(NoBackoff(), 1)
    )
