"""Phones that come back online together, on SQLite: ``python benchmarks/sending_at_once.py``.

`manage.py serve` runs with its one file, and 8 or 24 phones send a batch of 100 turns each at the same moment. The
longest response time counts, since a phone times out after 30 seconds and sends again. Two arms take turns:

- new cards: each turn is the first of its bike;
- known cards: each turn is the second of a bike whose card exists.

The medians of three rounds are compared, each round with a ride of its own. The script needs nothing but Python.

It exits with status 1 if the longest response takes more than 5 seconds with 8 phones, or more than 30 with 24.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import django  # noqa: E402 - the path is set above

from benchmarks.scratch import DATA_FOLDER  # noqa: E402

os.environ |= {"DATA_DIR": DATA_FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
django.setup()  # for the name of the phones' cookie

from tests.demo_data import copy_data  # noqa: E402
from tests.faults.phones import Sending, split_between_phones  # noqa: E402
from tests.faults.ride import FaultRide, make_rides  # noqa: E402
from tests.faults.servers import serve_small  # noqa: E402
from tests.shared_folder import open_shared_folder  # noqa: E402

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
BATCH = 100
GOALS = {8: 5.0, 24: 30.0}  # seconds for the longest response, by the number of phones
ARMS = ("new cards", "known cards")


def send(port: int, ride: FaultRide, seed: int) -> list[float]:
    """Send the first turn of every bike, then the second; return the longest response time of each."""
    turns, bikes = ride.make_turns(seed), len(ride.bikes)
    longest = []
    for first in (0, bikes):
        phones = split_between_phones(port, ride.phones, turns[first : first + bikes], batch=BATCH)
        start = time.monotonic()
        with Sending(phones) as sending:
            sending.wait(300)
        # Each phone has one batch, so the last response is the longest.
        longest.append(time.monotonic() - start)
    return longest


def main() -> int:
    shared = open_shared_folder()
    try:
        return 0 if min([measure(phones, goal) for phones, goal in GOALS.items()]) else 1
    finally:
        shutil.rmtree(shared)


def measure(phones: int, goal: float) -> bool:
    """Measure both arms with this many phones; return whether the goal is met."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        copy_data(data)
        rides = make_rides(data, {}, phones * BATCH, phones, ROUNDS + 1)
        with serve_small(data, rides[0]) as server:
            # The first round is not counted, since everything is loaded in it. Ids depend on the seed, so each is
            # unique.
            _first, *measured = [send(server.port, ride, seed) for seed, ride in enumerate(rides)]
    arms = [[longest[arm] for longest in measured] for arm in range(len(ARMS))]
    for name, seconds in zip(ARMS, arms, strict=True):
        figures = f"{median(seconds):5.2f} s   ({min(seconds):.2f} to {max(seconds):.2f}; goal: {goal:g} or less)"
        print(f"{phones:2} phones, {name:12} longest response {figures}")
    ratio = median(arms[0]) / median(arms[1])
    print(f"{phones:2} phones: new cards take {ratio:.2f} times as long as known ones", flush=True)
    return all(max(seconds) <= goal for seconds in arms)


if __name__ == "__main__":
    sys.exit(main())
