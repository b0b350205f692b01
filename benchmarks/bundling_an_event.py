"""A big event as a bundle, against `manage.py verify`: ``python benchmarks/bundling_an_event.py``.

2,200 bikes have five turns each, recorded by a phone, and the result is published. In each round, in turn: the checks
of `manage.py verify` on the scratch PostgreSQL; making the bundle, as a download does before its first byte; and the
checks of `python -m games verify`. Then the event is removed and imported, once. All of it is done with a tenth of the
bikes as well, to show a step whose time grows faster than the event. Figures are medians of the CPU time of this
process, so that other programs on the machine do not count; PostgreSQL's own time is not in them.

The script exits with status 1 if making or checking the bundle takes longer than `manage.py verify`, if importing takes
more than three times as long, or if any step takes more than twice as long for each bike of the big event.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any
from uuid import UUID, uuid4

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

BIKES, FEW_BIKES = 2_200, 220
ROUNDS = 3
IN_ONE_REQUEST = 500  # turns
GOAL, IMPORT_GOAL = 1.0, 3.0  # times `manage.py verify`
GROWTH_GOAL = 2.0  # times as long for each bike


def batched(items: list[Any], size: int) -> Iterator[list[Any]]:
    """Return the items in lists of this size."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def measure(bikes: int) -> tuple[dict[str, float], int]:
    """Return the seconds of each step for an event of its own with these bikes, and the size of the bundle in bytes."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client

    from games.core.bundle.report import check_bundle
    from games.core.registry import find_games
    from scorekeeper.bundles.event_import import import_bundle
    from scorekeeper.bundles.services import make_bundle
    from scorekeeper.crew.access import DEVICE_COOKIE
    from scorekeeper.desk.services.event_deletion import purge_event
    from scorekeeper.events.models import DeletedEvent, Event, Organiser
    from scorekeeper.ledger.actors import Actor
    from scorekeeper.standings.selectors.verification import list_damage
    from scorekeeper.standings.services.closure import close_contest
    from scorekeeper.standings.services.publication import publish_contest
    from scorekeeper.standings.services.refresh import refresh_standings
    from tests import guards
    from tests.faults.ride import make_ride_here

    user = User.objects.create(username=f"alice-{bikes}")
    ride = make_ride_here(bikes, phones=1)
    event = Event.objects.get(pk=ride.event)
    desk = Actor.from_organiser(Organiser.objects.create(event=event, user=user))
    contest = UUID(ride.contest)
    phone = Client(SERVER_NAME="localhost")
    phone.cookies[DEVICE_COOKIE] = ride.phones[0]
    for sent in batched(ride.make_turns(seed=1), IN_ONE_REQUEST):
        response = phone.post("/api/v1/operations", {"operations": sent}, "application/json")
        assert response.status_code == 200, response.content
    close_contest(desk, uuid4(), contest, "the ride is over")
    refresh_standings(contest)
    publish_contest(desk, uuid4(), contest, "all is decided")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    seconds: dict[str, list[float]] = {"manage.py verify": [], "making the bundle": [], "games verify": []}
    content = b""
    for _ in range(ROUNDS):
        start = process_time()
        assert list(list_damage(event)) == []
        seconds["manage.py verify"].append(process_time() - start)
        start = process_time()
        with make_bundle(event, "full") as bundle:
            seconds["making the bundle"].append(process_time() - start)
            content = b"".join(bundle.read_chunks())
        start = process_time()
        report = check_bundle(io.BytesIO(content), find_games())
        seconds["games verify"].append(process_time() - start)
        assert report.is_in_order, report.list_sentences()
    purge_event(event)
    guards.remove_guards()
    DeletedEvent.objects.all().delete()
    guards.install_guards()
    start = process_time()
    import_bundle(io.BytesIO(content), user)
    seconds["import_event"] = [process_time() - start]
    return {name: median(values) for name, values in seconds.items()}, len(content)


def main() -> int:
    began = perf_counter()
    with scratch_database("bundle") as url:
        start_django(url)
        few, _size = measure(FEW_BIKES)
        seconds, size = measure(BIKES)
        from django.db import connection

        connection.close()
    base = seconds["manage.py verify"]
    print(
        f"{BIKES:,} bikes with five turns each, one revision; the bundle has {size / 1e6:.1f} MB; seconds of CPU time"
    )
    growth = {name: value / BIKES / (few[name] / FEW_BIKES) for name, value in seconds.items()}
    for name, value in seconds.items():
        times = f"{value / base:5.2f} times manage.py verify"
        print(f"{name:<20} {value:6.2f} s   {times}   a bike takes {growth[name]:.2f} times as long as of {FEW_BIKES}")
    print(f"goals: {GOAL} times to make and to check, {IMPORT_GOAL} to import, {GROWTH_GOAL} for a bike")
    print(f"the whole run took {perf_counter() - began:.0f} s")
    ratios = [seconds[name] / base for name in ("making the bundle", "games verify")]
    is_quick = max(ratios) <= GOAL and seconds["import_event"] / base <= IMPORT_GOAL
    return 0 if is_quick and max(growth.values()) <= GROWTH_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
