"""Clocks of programs under test that are wrong from the start, or are changed while they run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.faults.servers import wait_until

HOURS_48 = 48 * 60 * 60  # seconds
STEPS = (60, -60, HOURS_48, -HOURS_48)
FOLDER = Path(__file__).with_name("clock")
_FIRST_SIGNAL = signal.SIGRTMIN + 1


def with_clock() -> dict[str, str]:
    """Return the environment of a process whose clock can be changed while it runs."""
    return {"PYTHONPATH": str(FOLDER), "CLOCK_STEPS": ",".join(map(str, STEPS))}


def shift_clock(group: int, seconds: int) -> None:
    """Change the clocks of a group of processes that were started with such an environment.

    Args:
        group: the process that leads it.
        seconds: one of `STEPS`.
    """
    wait_for_clock(group)
    os.killpg(group, _FIRST_SIGNAL + STEPS.index(seconds))


def wait_for_clock(pid: int) -> None:
    """Wait until the clock of a process can be changed; before that, the signal would end the process."""
    wait_until(lambda: _catches(pid, _FIRST_SIGNAL + len(STEPS) - 1), "its clock can be changed")


def _catches(pid: int, number: int) -> bool:
    """Return whether a process has a handler for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (number - 1) & 1)
