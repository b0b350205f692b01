"""Giving up after some time. This is the only use of a clock in the games: it decides whether there is an answer, and
never what the answer is.
"""

from __future__ import annotations

import time
from collections.abc import Callable

DEFAULT_SECONDS = 60


class OutOfTime(Exception):
    """The exact figures take longer than the question allows."""


class TimeLimit:
    """When to give up.

    Args:
        seconds: how long the calculation may take, from now on.
        clock: a clock in seconds that never goes back.
    """

    def __init__(self, seconds: float = DEFAULT_SECONDS, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise `OutOfTime` once the time is up. Every long calculation calls it now and then."""
        if self._clock() > self._end:
            raise OutOfTime
