"""The one limiter: how often something may be done within a window of time, by an address, an account or a phone.

Invariants:
- Every window holds the limit (`recent_uses`), across all processes: uses are counted in the database under a lock.
- What is refused does not count, so that the wait ends.
- Nothing is stored that identifies anyone: a row has a keyed digest of who did what and is deleted once it has expired.
"""

from __future__ import annotations

import datetime as dt
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.common.models import UseCount
from scorekeeper.common.recent_uses import Uses, drop_old_uses, find_wait, merge_uses, remove_last_use
from scorekeeper.common.security_log import log_refusal


class RateLimited(Exception):
    """It was done too often.

    Attributes:
        wait: seconds until it can be done again, at least 1.
    """

    def __init__(self, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(self.wait)


@dataclass(frozen=True)
class RateLimit:
    """A limit.

    Attributes:
        name: of what is limited; each name is counted by itself.
        most: how often it may be done in any window; 0 for as often as anyone likes.
        window: seconds.
    """

    name: str
    most: int
    window: int


def count_use(limit: RateLimit, subject: str, now: float | None = None) -> None:
    """Count that something is done.

    In a transaction that is rolled back nothing was counted.

    Args:
        subject: by whom, such as an address or the id of an account.
        now: the time, in seconds since 1970; None for the system's clock.

    Raises:
        RateLimited: this was once too often.
    """
    if not limit.most:
        return
    at = time.time() if now is None else now

    def add(uses: Uses) -> Uses:
        if wait := find_wait(uses, limit.most, limit.window, at):
            log_refusal("limited", limit=limit.name, wait=math.ceil(wait))
            raise RateLimited(wait)
        return merge_uses([uses, [[at, 1]]], limit.window)

    _change(limit, subject, at, add)


def add_uses(limit: RateLimit, subject: str, added: Uses, now: float) -> Uses:
    """Count uses that have happened, also beyond the limit; return all of the window."""
    return _change(limit, subject, now, lambda uses: merge_uses([uses, added], limit.window))


def give_back_use(limit: RateLimit, subject: str, now: float | None = None) -> bool:
    """Count one use less, because it was none; return whether there was one."""
    found: list[Uses] = []

    def remove(uses: Uses) -> Uses:
        found.append(uses)
        return remove_last_use(uses)

    _change(limit, subject, time.time() if now is None else now, remove)
    return bool(found[0])


def clear_uses(limit: RateLimit, subject: str) -> None:
    """Start counting anew."""
    UseCount.objects.filter(pk=_make_key(limit, subject)).delete()


def delete_expired_counts() -> None:
    """Delete the rows in which nothing counts any more."""
    UseCount.objects.filter(expires_at__lt=timezone.now()).delete()


def _change(limit: RateLimit, subject: str, now: float, change: Callable[[Uses], Uses]) -> Uses:
    """Change the uses of a row that no other process can change meanwhile."""
    key = _make_key(limit, subject)
    expires_at = dt.datetime.fromtimestamp(now + 2 * limit.window, dt.UTC)
    with transaction.atomic():
        rows = UseCount.objects.select_for_update().filter(pk=key)
        row = rows.first()
        while row is None:
            UseCount.objects.bulk_create([UseCount(key=key, uses=[], expires_at=expires_at)], ignore_conflicts=True)
            row = rows.first()
        uses = change(drop_old_uses(row.uses, limit.window, now))
        UseCount.objects.filter(pk=key).update(uses=uses, expires_at=expires_at)
    return uses


def _make_key(limit: RateLimit, subject: str) -> str:
    return salted_hmac("scorekeeper.common.rate_limits", f"{limit.name} {subject}", algorithm="sha256").hexdigest()
