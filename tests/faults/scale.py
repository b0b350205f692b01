"""How much a run does: a short version always, the whole with FAULTS=full (`make faults`)."""

from __future__ import annotations

import os

FULL = os.environ.get("FAULTS") == "full"


def scaled(full: int, short: int) -> int:
    """Return how many there are to be in this run."""
    return full if FULL else short
