"""How much a run does: a short version always, the whole with FAULTS=full (`make faults`)."""

from __future__ import annotations

import os

FULL = os.environ.get("FAULTS") == "full"

# A full run measures how soon the sweeper is there in use; a short one only needs it to come.
SWEEPS = {} if FULL else {"SWEEP_SECONDS": "2"}


def scaled(full: int, short: int) -> int:
    """Return how many there are to be in this run."""
    return full if FULL else short
