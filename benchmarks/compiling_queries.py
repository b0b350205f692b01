"""What it buys to compile queries once: ``python benchmarks/compiling_queries.py``.

Turns are sent to the API one by one, in this process, on SQLite. Two arms take turns, request by request: the queries
on the recording path as they are (`scorekeeper.common.compiled_query`), and the same querysets run by Django, which
compiles them each time. The medians of the CPU time of a request are compared.

The compiled queries use private parts of Django, so they have to carry a quarter of a turn (decision 65): the script
exits with status 1 if Django's own take less than 1.33 times as long.
"""

# ruff: noqa: T201, E402 - a benchmark prints its figures; Django is set up before its models are imported

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.cpu_times import print_times
from benchmarks.scratch import start_django

start_django("")

from django.conf import settings
from django.test import Client

from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.crew.access import DEVICE_COOKIE
from tests.faults.ride import make_ride_here

BIKES, WARM_UP = 300, 100
GOAL = 1.33


def fetch_with_django(query: CompiledQuery[Any], **values: Any) -> list[Any]:
    """Run the queryset of a compiled query as any other."""
    return list(query._make(**values))


@contextmanager
def fetching(how: Callable[..., list[Any]]) -> Iterator[None]:
    before = CompiledQuery.fetch
    CompiledQuery.fetch = how  # type: ignore[method-assign]
    yield
    CompiledQuery.fetch = before  # type: ignore[method-assign]


def main() -> int:
    settings.ALLOWED_HOSTS = ["*"]
    ride = make_ride_here(BIKES, 1)
    client = Client()
    client.cookies[DEVICE_COOKIE] = ride.phones[0]
    arms = {"compiled once": CompiledQuery.fetch, "compiled each time": fetch_with_django}
    spent: dict[str, list[float]] = {name: [] for name in arms}
    for number, turn in enumerate(ride.make_turns(1)):
        name = list(arms)[number % len(arms)]
        body = json.dumps({"operations": [turn]})
        with fetching(arms[name]):
            start = time.process_time()
            response = client.post("/api/v1/operations", body, content_type="application/json")
            taken = time.process_time() - start
        assert response.json()["receipts"][0]["outcome"] == "recorded", response.content
        if number >= WARM_UP:
            spent[name].append(taken)
    print_times(spent, "turn", "turns")
    ratio = median(spent["compiled each time"]) / median(spent["compiled once"])
    print(f"Django's own queries take {ratio:.2f} times as long (goal: {GOAL:g} or more)")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
