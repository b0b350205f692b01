"""Standings read by the API, against the public page: ``python benchmarks/reading_by_api.py``.

880 bikes have rolled five turns each. In each round, in turn, through all middleware: the leaderboard's page; the
standings by the API; the same with the ETag of the last answer, which is 304; the same with an older ETag, which is the
whole answer; and only the first ten. Figures are medians of the CPU time of this process, so that other programs on the
machine do not count. PostgreSQL's time is not in them; its statements are counted.

The script exits with status 1 if the standings take more than 1.25 times as long as the page, or a
304 more than half as long.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

SEATS = 880
ROUNDS = 15
MISS_GOAL, HIT_GOAL = 1.25, 0.5  # times the page


def list_arms() -> dict[str, Callable[[], Any]]:
    """Fill the database, and return by name what is asked for; each returns the response."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from tests.scorekeeper.large_ride import make_large_ride

    call_command("collectstatic", interactive=False, verbosity=0)
    ride = make_large_ride(User.objects.create(username="alice"), SEATS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    client = Client(SERVER_NAME="localhost")
    names = [ride.event.slug, ride.yahtzee.slug]
    page, api = reverse("results:leaderboard", args=names), reverse("api:standings", args=names)
    etag = client.get(api).headers["ETag"]

    def ask(url: str, status: int, **headers: str) -> Any:
        response = client.get(url, headers=headers)
        assert response.status_code == status, response.status_code
        return response

    return {
        "the page": lambda: ask(page, 200),
        "standings": lambda: ask(api, 200),
        "standings, ETag hit": lambda: ask(api, 304, **{"If-None-Match": etag}),
        "standings, ETag miss": lambda: ask(api, 200, **{"If-None-Match": '"older"'}),
        "the first ten": lambda: ask(f"{api}?top=10", 200),
    }


def measure(get: Callable[[], Any]) -> tuple[float, int, int]:
    """Return the milliseconds of a response, its bytes, and its number of statements."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    start = process_time()
    response = get()
    taken = (process_time() - start) * 1000
    with CaptureQueriesContext(connection) as queries:
        get()
    return taken, len(response.content), len(queries)


def main() -> int:
    measured: dict[str, list[tuple[float, int, int]]] = {}
    with scratch_database("api") as url:
        start_django(url)
        arms = list_arms()
        for number in range(ROUNDS + 1):
            for name, get in arms.items():
                figures = measure(get)
                if number:  # the first round fills caches
                    measured.setdefault(name, []).append(figures)
        from django.db import connections

        connections.close_all()
    times = {name: median(taken for taken, _size, _queries in rounds) for name, rounds in measured.items()}
    base = times["the page"]
    print(f"{SEATS} bikes; milliseconds of CPU time")
    for name, rounds in measured.items():
        _taken, size, queries = rounds[-1]
        share = f"{times[name] / base:5.2f} of the page"
        print(f"{name:21} {times[name]:6.1f} ms  {share}  {size:8,} bytes  {queries:3} queries")
    miss, hit = times["standings, ETag miss"] / base, times["standings, ETag hit"] / base
    print(f"an ETag miss takes {miss:.2f} of the page (goal: {MISS_GOAL} or less)")
    print(f"an ETag hit takes {hit:.2f} of the page (goal: {HIT_GOAL} or less)")
    return 0 if miss <= MISS_GOAL and hit <= HIT_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
