"""A phone's copy of its ride: ``python benchmarks/refreshing_a_ride.py``.

Rides of 25, 200 and 2,200 bikes have five turns for each bike and a table for every two riders. The road captain's
phone, which may open every card, requests the full copy, then again without changes, then after one card was corrected.
The last takes two requests: whether there is anything new, and what it is. Each response is measured through all
middleware: its size with headers, compressed by gzip as it goes over the wire; the body that the phone sends; the time;
and the number of queries. Figures are medians of five, each with another card. For comparison, so is the request that
older apps send.

The script exits with status 1 if a full copy with 200 bikes is above 300 kB with gzip, if a response without changes is
above 1 kB, or if one changed card costs more than twice as much among 2,200 bikes as among 25.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import uuid4

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

SIZES = (25, 200, 2_200)
ROUNDS = 5
FULL_GOAL, FULL_SIZE = 300_000, 200
UNCHANGED_GOAL = 1_000
FLAT_GOAL = 2.0

Figures = dict[str, float]


class CountingClient:
    """A phone's HTTP client, which accepts gzip and counts the bytes over the wire."""

    def __init__(self, ride: Any) -> None:
        from django.test import Client

        from scorekeeper.crew.access import DEVICE_COOKIE
        from scorekeeper.crew.services.devices import create_device

        _device, token = create_device(ride.captain)
        self._client = Client(SERVER_NAME="localhost")
        self._client.cookies[DEVICE_COOKIE] = token
        self.reset()

    def reset(self) -> None:
        self.received = self.sent = 0
        self.ms = 0.0

    def get(self, url: str, **more: Any) -> Any:
        return self._request(self._client.get, url, **more)

    def head(self, url: str, **more: Any) -> Any:
        return self._request(self._client.head, url, **more)

    def post(self, url: str, body: bytes, **more: Any) -> Any:
        self.sent += len(body)
        return self._request(self._client.post, url, body, **more)

    def _request(self, send: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        headers = {"Accept-Encoding": "gzip", **kwargs.pop("headers", {})}
        start = perf_counter()
        response = send(*args, headers=headers, **kwargs)
        self.ms += (perf_counter() - start) * 1000
        self.received += len(response.content) + sum(len(name) + len(value) + 4 for name, value in response.items())
        if response.get("Content-Encoding") == "gzip":
            response.content = gzip.decompress(response.content)
        return response


def measure(wire: CountingClient, prepare: Callable[[int], object], request: Callable[[], object]) -> Figures:
    """Return the median figures of `request`, each time after a call of `prepare`."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found: list[Figures] = []
    for number in range(ROUNDS):
        prepare(number)
        wire.reset()
        request()
        found.append({"received": wire.received, "sent": wire.sent, "ms": wire.ms})
    prepare(ROUNDS)
    with CaptureQueriesContext(connection) as queries:
        request()
    return {name: median(figures[name] for figures in found) for name in found[0]} | {"queries": len(queries)}


def measure_ride(user: Any, size: int) -> dict[str, Figures]:
    """Return the figures of a ride with this many bikes."""
    from django.db import connection

    from tests.scorekeeper.large_ride import make_large_ride
    from tests.scorekeeper.offline.ride_copy import RideCopy

    ride = make_large_ride(user, size)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    wire = CountingClient(ride)
    copy: Any = RideCopy(wire)  # type: ignore[arg-type]

    def nothing(number: int) -> None:
        pass

    return {
        "older app": measure(wire, nothing, lambda: wire.get("/api/v1/ride")),
        "full copy": measure(wire, nothing, copy.fetch_all),
        "no changes": measure(wire, nothing, copy.refresh),
        "one card": measure(wire, lambda number: correct_turn(ride, number), copy.refresh),
    }


def correct_turn(ride: Any, number: int) -> None:
    """Correct a turn of a bike."""
    from scorekeeper.scorecards.contest_rules import derive_card_id
    from scorekeeper.scorecards.models import Turn
    from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns

    bike = ride.bikes[number]
    turn = Turn.objects.get(card=derive_card_id(ride.yahtzee.pk, bike.pk), line="chance")
    target = CorrectionTarget(turn.pk, turn.seq, [{"type": "paper", "box": "chance", "points": 30}])
    amend_turns(ride.desk, uuid4(), ride.yahtzee.pk, bike.pk, [target], "misread the dice")


def main() -> int:
    rides: dict[int, dict[str, Figures]] = {}
    with scratch_database("ride") as url:
        start_django(url)
        from django.contrib.auth.models import User
        from django.core.management import call_command
        from django.db import connections

        call_command("collectstatic", interactive=False, verbosity=0)
        user = User.objects.create(username="alice")
        for size in SIZES:
            rides[size] = measure_ride(user, size)
            print_figures(size, rides[size])
        connections.close_all()
    full = rides[FULL_SIZE]["full copy"]["received"]
    unchanged = max(ride["no changes"]["received"] for ride in rides.values())
    flat = rides[SIZES[-1]]["one card"]["received"] / rides[SIZES[0]]["one card"]["received"]
    print(f"full copy of {FULL_SIZE} bikes: {full / 1000:.0f} kB with gzip (goal: {FULL_GOAL // 1000} or less)")
    print(f"no changes: {unchanged:.0f} bytes at most (goal: {UNCHANGED_GOAL:,} or less)")
    print(f"one card among {SIZES[-1]:,} bikes: {flat:.1f} times the size among {SIZES[0]} (goal: {FLAT_GOAL:.0f})")
    return 0 if full <= FULL_GOAL and unchanged <= UNCHANGED_GOAL and flat <= FLAT_GOAL else 1


def print_figures(size: int, ride: dict[str, Figures]) -> None:
    """Print the figures of a ride."""
    for name, figures in ride.items():
        print(
            f"{size:>5,} bikes   {name:<12}{figures['received']:>10,.0f} bytes with gzip{figures['sent']:>8,.0f} sent"
            f"{figures['ms']:>9.1f} ms{figures['queries']:>4.0f} queries",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
