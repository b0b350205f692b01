"""Phones that come back into signal together, on SQLite: ``python benchmarks/sending_at_once.py``.

`manage.py serve` with its one file, and 8 or 24 phones that send a batch of 100 turns each in the same instant. What
counts is the longest answer, since a phone gives up after 30 seconds and sends again. Two arms take turns:

- new cards: each turn is the first of its bike;
- known cards: each is the second of a bike whose card exists.

Medians over three rounds are compared, each round on a ride of its own. It needs nothing but Python.

It ends with status 1 when the longest answer to 8 phones takes more than 5 seconds, or to 24 more than 30.
"""

# ruff: noqa: T201 - a benchmark prints what it measured

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
django.setup()  # the phones know the name of a cookie from it

from tests.demo_data import copy_data  # noqa: E402
from tests.faults.phones import Sending, split_between_phones  # noqa: E402
from tests.faults.ride import FaultRide, make_rides  # noqa: E402
from tests.faults.servers import serve_small  # noqa: E402
from tests.shared_folder import open_shared_folder  # noqa: E402

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
BATCH = 100
GOALS = {8: 5.0, 24: 30.0}  # seconds for the longest answer, by the number of phones
ARMS = ("new cards", "known cards")


def send(port: int, ride: FaultRide, seed: int) -> list[float]:
    """Send the first two turns of every bike, one after the other; return the longest answer of each."""
    turns, bikes = ride.make_turns(seed), len(ride.bikes)
    longest = []
    for first in (0, bikes):
        phones = split_between_phones(port, ride.phones, turns[first : first + bikes], batch=BATCH)
        began = time.monotonic()
        with Sending(phones) as sending:
            sending.wait(300)
        # Each phone has one batch, so whoever is answered last has waited longest.
        longest.append(time.monotonic() - began)
    return longest


def main() -> int:
    shared = open_shared_folder()
    try:
        return 0 if min([measure(phones, goal) for phones, goal in GOALS.items()]) else 1
    finally:
        shutil.rmtree(shared)


def measure(phones: int, goal: float) -> bool:
    """Measure both arms with so many phones; return whether the goal is met."""
    with tempfile.TemporaryDirectory() as place:
        data = Path(place)
        copy_data(data)
        rides = make_rides(data, {}, phones * BATCH, phones, ROUNDS + 1)
        with serve_small(data, rides[0]) as server:
            # The first is not counted: with it, everything is loaded. Ids are made from seeds, so none is used twice.
            _first, *measured = [send(server.port, ride, seed) for seed, ride in enumerate(rides)]
    arms = [[longest[arm] for longest in measured] for arm in range(len(ARMS))]
    for name, seconds in zip(ARMS, arms, strict=True):
        told = f"{median(seconds):5.2f} s   ({min(seconds):.2f} to {max(seconds):.2f}; goal: {goal:g} or less)"
        print(f"{phones:2} phones, {name:12} longest answer {told}")
    ratio = median(arms[0]) / median(arms[1])
    print(f"{phones:2} phones: new cards take {ratio:.2f} times as long as known ones", flush=True)
    return all(max(seconds) <= goal for seconds in arms)


if __name__ == "__main__":
    sys.exit(main())
