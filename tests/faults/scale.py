"""The size of a run: short by default, full with FAULTS=full (`make faults`)."""

from __future__ import annotations

import os

FULL = os.environ.get("FAULTS") == "full"

# A full run measures the sweeper's real interval; a short run only needs a sweep to happen.
SWEEPS = {} if FULL else {"SWEEP_SECONDS": "2"}


def scaled(full: int, short: int) -> int:
    """Return the number for this run."""
    return full if FULL else short
