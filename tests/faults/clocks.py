"""Clocks of programs under test that are wrong from the start, or are changed while they run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.programs import ABSENT_PACKAGES

HOURS_48 = 48 * 60 * 60  # seconds
STEPS = (60, -60, HOURS_48, -HOURS_48)
FOLDER = Path(__file__).with_name("clock")


def with_clock(shift: int = 0) -> dict[str, str]:
    """Return the environment of a process whose clock can be changed.

    Args:
        shift: seconds by which it is ahead of the machine's clock at its start.
    """
    return {
        "PYTHONPATH": f"{FOLDER}:{ABSENT_PACKAGES}",
        "CLOCK_SHIFT": str(shift),
        "CLOCK_STEPS": ",".join(map(str, STEPS)),
    }


def shift_clock(group: int, seconds: int) -> None:
    """Change the clocks of a group of processes that were started with such an environment.

    Args:
        group: the process that leads it.
        seconds: one of `STEPS`.
    """
    os.killpg(group, signal.SIGRTMIN + 1 + STEPS.index(seconds))
