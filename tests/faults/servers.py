"""The small set-up under test: `manage.py serve` on SQLite, with its processes in reach."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.browser.served import serve
from tests.faults.ride import FaultRide, make_ride
from tests.programs import PATIENCE

T = TypeVar("T")
LOOK_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class SmallServer:
    """A running program with a ride on it.

    Attributes:
        supervisor: the process that keeps the web server and the worker running.
        lines: what all of them have written so far.
    """

    url: str
    port: int
    database: Path
    ride: FaultRide
    supervisor: int
    lines: list[str]

    def kill(self, what: str) -> int:
        """Kill one of the children that runs; return its process id.

        Args:
            what: a word of its command line: uvicorn or celery.
        """
        pid = wait_until(lambda: self._find(what), f"{what} runs")
        os.kill(pid, signal.SIGKILL)
        return pid

    def _find(self, what: str) -> int | None:
        children = Path(f"/proc/{self.supervisor}/task/{self.supervisor}/children").read_text().split()
        return next((int(pid) for pid in children if what in Path(f"/proc/{pid}/cmdline").read_text()), None)


@contextmanager
def serve_small(data: Path, bikes: int, phones: int, ride: FaultRide | None = None) -> Iterator[SmallServer]:
    """Run the program with a ride on it: a new one, or one that is there already."""
    with serve(data) as served:
        ride = ride or make_ride(data, {}, bikes, phones)
        port = int(served.url.rpartition(":")[2])
        yield SmallServer(served.url, port, data / "tailgunner.sqlite3", ride, served.pid, served.lines)


def wait_until(look: Callable[[], T | None], what: str, seconds: float = PATIENCE) -> T:
    """Look until there is something; nothing tells us from outside when a process has done its work.

    Raises:
        AssertionError: there was nothing, in that time.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(LOOK_EVERY)
    raise AssertionError(f"{seconds:g} seconds have passed, and not yet: {what}")
