"""The small set-up under test: `manage.py serve` on SQLite, with its processes in reach."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.browser.running_server import serve
from tests.demo_data import DATABASE
from tests.faults.ride import FaultRide
from tests.programs import TIMEOUT_SECONDS

T = TypeVar("T")
POLL_SECONDS = 0.05  # seconds


@dataclass(frozen=True)
class SmallServer:
    """A running program with a ride on it.

    Attributes:
        supervisor: the process that restarts the web server and the workers.
        lines: the output of all processes so far.
    """

    url: str
    port: int
    database: Path
    ride: FaultRide
    supervisor: int
    lines: list[str]

    def kill(self, what: str) -> int:
        """Kill one of the processes; return its id.

        Args:
            what: a word of its command line: uvicorn, sweep, or the queue of a worker; "supervisor" for the process
                that restarts these, without which they stop by themselves; "tree" for all at once.
        """
        if what == "tree":
            # The supervisor first, so that it restarts none of them.
            for pid in [*_list_descendants(self.supervisor), self.supervisor][::-1]:
                os.kill(pid, signal.SIGKILL)
            return self.supervisor
        pid = self.supervisor if what == "supervisor" else self.wait_for_process(what)
        os.kill(pid, signal.SIGKILL)
        if what != "supervisor":  # who looks for the process from now on finds the next one
            wait_until(lambda: pid not in _list_children(self.supervisor), f"{what} has ended")
        return pid

    def wait_for_process(self, what: str) -> int:
        """Return the process id of a child once it is running."""
        return wait_until(lambda: self._find(what), f"{what} runs")

    def _find(self, what: str) -> int | None:
        children = _list_children(self.supervisor)
        return next((pid for pid in children if what in Path(f"/proc/{pid}/cmdline").read_text()), None)


def _list_children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _list_descendants(pid: int) -> list[int]:
    children = _list_children(pid)
    return [*children, *(one for child in children for one in _list_descendants(child))]


def list_locked(lines: Iterable[str]) -> list[str]:
    """Return the log lines about an SQLite file that was locked for too long."""
    return [line for line in lines if "locked" in line]


@contextmanager
def serve_small(data: Path, ride: FaultRide, **variables: str) -> Iterator[SmallServer]:
    """Run the program on an existing ride, with these variables in its environment."""
    with serve(data, 0, **variables) as served:
        yield SmallServer(served.url, served.port, data / DATABASE, ride, served.pid, served.lines)


def wait_until(look: Callable[[], T | None], what: str, seconds: float = TIMEOUT_SECONDS) -> T:
    """Poll until there is a result; from outside nothing else shows when a process has done its work.

    Raises:
        AssertionError: there was none in that time.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"{seconds:g} seconds have passed, and not yet: {what}")
