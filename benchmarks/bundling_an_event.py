"""A big event as a bundle, against `manage.py verify`: ``python benchmarks/bundling_an_event.py``.

2,200 bikes have five turns each, recorded by a phone, and the result is published. In each round, in turn: the checks
of `manage.py verify` on the scratch PostgreSQL; making the bundle, as a download does before its first byte; and the
checks of `python -m games verify`. Figures are medians. Importing is timed once, after the event was removed.

The script exits with status 1 if making the bundle or checking it takes longer than `manage.py verify`.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

BIKES = 2_200
ROUNDS = 3
IN_ONE_REQUEST = 500  # turns
GOAL = 1.0  # times `manage.py verify`


def batched(items: list[Any], size: int) -> Iterator[list[Any]]:
    """Return the items in lists of this size."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def measure() -> tuple[dict[str, float], int]:
    """Return the seconds of each step, and the size of the bundle in bytes."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client

    from games.core.bundle.report import check_bundle
    from games.core.registry import find_games
    from scorekeeper.bundles.services.bundle_files import make_bundle
    from scorekeeper.bundles.services.event_import import import_bundle
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

    user = User.objects.create(username="alice")
    ride = make_ride_here(BIKES, phones=1)
    event = Event.objects.get()
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
        start = perf_counter()
        assert list(list_damage(event)) == []
        seconds["manage.py verify"].append(perf_counter() - start)
        start = perf_counter()
        with make_bundle(event, "full") as bundle:
            seconds["making the bundle"].append(perf_counter() - start)
            content = b"".join(bundle.read_chunks())
        start = perf_counter()
        report = check_bundle(io.BytesIO(content), find_games())
        seconds["games verify"].append(perf_counter() - start)
        assert report.is_in_order, report.list_sentences()
    purge_event(event)
    guards.remove_guards()
    DeletedEvent.objects.all().delete()
    guards.install_guards()
    start = perf_counter()
    import_bundle(io.BytesIO(content), user)
    seconds["import_event"] = [perf_counter() - start]
    return {name: median(values) for name, values in seconds.items()}, len(content)


def main() -> int:
    with scratch_database("bundle") as url:
        start_django(url)
        seconds, size = measure()
        from django.db import connection

        connection.close()
    base = seconds["manage.py verify"]
    print(f"{BIKES:,} bikes with five turns each, one revision; the bundle has {size / 1e6:.1f} MB")
    for name, value in seconds.items():
        print(f"{name:<20} {value:6.2f} s   {value / base:5.2f} times manage.py verify")
    ratios = [seconds[name] / base for name in ("making the bundle", "games verify")]
    return 0 if max(ratios) <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
