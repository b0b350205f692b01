"""The size of a run: short by default, full with FAULTS=full (`make faults`)."""

from __future__ import annotations

import os

FULL = os.environ.get("FAULTS") == "full"

# A full run measures the sweeper's real interval; a short run only needs a sweep to happen.
SWEEPS = {} if FULL else {"SWEEP_SECONDS": "2"}
# The demo's ride with everything in it, or two stops with corrections.
STAGE = "published" if FULL else "parks"
# Until a calculation of odds is given up. A recorded question is given up after the second that it allows.
GIVE_UP_SECONDS = 1 if FULL else 0.05


def scaled(full: int, short: int) -> int:
    """Return the number for this run."""
    return full if FULL else short
