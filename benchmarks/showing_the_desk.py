"""The organiser's live desk: ``python benchmarks/showing_the_desk.py``.

Rides of 200 and 2,000 bikes have five turns for each bike. The organiser's page is requested with all its bikes; then a
turn is corrected, and the page asks what has changed, as it does when the stream says so. Each response goes through
all middleware, compressed by gzip. Times are medians of eleven, each change with another bike. Both rides take turns,
so that a busy machine slows both.

The script exits with status 1 if the page of 200 bikes takes more than 150 ms or 60 kB, or if one changed cell takes
more than 1.25 times the time or the bytes among 2,000 bikes that it does among 200.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter, sleep, time
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.refreshing_a_ride import correct_turn  # noqa: E402 - the path is set above
from benchmarks.scratch import scratch_database, start_django  # noqa: E402

SIZES = SMALL, LARGE = (200, 2_000)
ROUNDS = 11
TIME_GOAL, SIZE_GOAL = 150, 60_000  # milliseconds, bytes
FLAT_GOAL = 1.25


class OrganiserDesk:
    """An organiser's browser at the live desk of a ride; it accepts gzip.

    Attributes:
        page, changes: the milliseconds and the bytes of each response.
    """

    def __init__(self, user: Any, size: int) -> None:
        from django.test import Client

        from tests.scorekeeper.large_ride import make_large_ride

        self.ride = make_large_ride(user, size)
        self.page: list[tuple[float, int]] = []
        self.changes: list[tuple[float, int]] = []
        self._client = Client(SERVER_NAME="localhost", headers={"Accept-Encoding": "gzip"})
        self._client.force_login(user)
        self._url = f"/desk/events/{self.ride.event.slug}/live/"

    def open_page(self) -> None:
        """Request all bikes."""
        self.page.append(self._measure(self._url, {}))

    def ask_after_change(self, number: int) -> None:
        """Correct a turn, and request what has changed since before that."""
        from scorekeeper.desk.selectors.live_grid import OVERLAP_TIME, get_log_position, list_columns

        # Entries of the last half a minute are sent again. Here only those of this second are, and there is one.
        sleep(1 - time() % 1)
        position = get_log_position(self.ride.event, list_columns(self.ride.contest))
        position = position._replace(seconds=position.seconds + int(OVERLAP_TIME.total_seconds()))
        correct_turn(self.ride, number)
        self.changes.append(self._measure(f"{self._url}changes/", {"since": str(position)}))

    def _measure(self, url: str, query: dict[str, str]) -> tuple[float, int]:
        start = perf_counter()
        response = self._client.get(url, query)
        milliseconds = (perf_counter() - start) * 1000
        assert response.status_code == 200
        return milliseconds, len(response.content)


def main() -> int:
    with scratch_database("desk") as url:
        start_django(url)
        from django.contrib.auth.models import User
        from django.core.management import call_command
        from django.db import connection, connections

        call_command("collectstatic", interactive=False, verbosity=0)
        user = User.objects.create(username="alice")
        desks = {size: OrganiserDesk(user, size) for size in SIZES}
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        for number in range(ROUNDS + 1):
            for desk in desks.values():
                desk.open_page()
                desk.ask_after_change(number)
        connections.close_all()
    pages, changes = (
        {size: get_medians(getattr(desk, name)[1:]) for size, desk in desks.items()} for name in ("page", "changes")
    )
    for size in SIZES:
        print(f"{size:>5,} bikes   the page      {pages[size][0]:>8.1f} ms{pages[size][1]:>10,.0f} bytes with gzip")
        print(f"{size:>5,} bikes   one change    {changes[size][0]:>8.1f} ms{changes[size][1]:>10,.0f} bytes with gzip")
    times, sizes = (changes[LARGE][index] / changes[SMALL][index] for index in (0, 1))
    print(f"the page of {SMALL} bikes: {pages[SMALL][0]:.0f} ms (goal: {TIME_GOAL} or less)")
    print(f"the page of {SMALL} bikes: {pages[SMALL][1] / 1000:.0f} kB with gzip (goal: {SIZE_GOAL // 1000} or less)")
    print(f"one change among {LARGE:,} bikes: {times:.2f} times as long as among {SMALL} (goal: {FLAT_GOAL} or less)")
    print(f"one change among {LARGE:,} bikes: {sizes:.2f} times the bytes (goal: {FLAT_GOAL} or less)")
    is_small = pages[SMALL][0] <= TIME_GOAL and pages[SMALL][1] <= SIZE_GOAL
    return 0 if is_small and times <= FLAT_GOAL and sizes <= FLAT_GOAL else 1


def get_medians(figures: list[tuple[float, int]]) -> tuple[float, float]:
    """Return the medians of the milliseconds and of the bytes."""
    return median(figure[0] for figure in figures), median(figure[1] for figure in figures)


if __name__ == "__main__":
    sys.exit(main())
