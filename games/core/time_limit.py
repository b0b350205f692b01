"""Giving up after some time. This is the only use of a clock in the games: it decides whether there is an answer, and
never what the answer is.

What counts is processor time of the thread that calculates, so a busy machine, a laptop that sleeps and the other
threads of a server take nothing away from it. Where the system has no such clock it is time on the wall: in a browser,
whose engine runs one thread and nothing beside it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

DEFAULT_SECONDS = 60


class OutOfTime(Exception):
    """The exact figures take longer than the question allows."""


def find_clock() -> Callable[[], float]:
    """Return the clock of the processor time of a thread or, where there is none, one that never goes back."""
    clock: Callable[[], float] | None = getattr(time, "thread_time", None)
    if clock is None:
        return time.monotonic
    try:
        clock()
    except (OSError, RuntimeError):
        return time.monotonic
    return clock


CLOCK = find_clock()


class TimeLimit(threading.local):
    """When to give up.

    Each thread that checks a limit has all of its time, from its first check on: solvers keep values that several
    threads may ask for, and the clocks of two threads cannot be compared.

    Args:
        seconds: how long the calculation may take, from now on.
        clock: a clock in seconds that never goes back.
    """

    def __init__(self, seconds: float = DEFAULT_SECONDS, clock: Callable[[], float] = CLOCK):
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise `OutOfTime` once the time is up. Every long calculation calls it now and then."""
        if self._clock() > self._end:
            raise OutOfTime
