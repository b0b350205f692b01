"""Redis goes, hangs and comes back empty; nobody who notes a turn learns of it."""

from __future__ import annotations

import time
from functools import partial
from itertools import cycle
from statistics import median

from tests.cluster.cluster import Cluster
from tests.cluster.ride import Ride


def test_a_turn_is_noted_without_redis_and_reaches_the_standings_when_it_is_back(cluster: Cluster, ride: Ride) -> None:
    bike, after = ride.bikes[:2]
    cluster["redis"].kill()

    shown = ride.note(bike, "22233", "full_house")
    cluster["redis"].start()

    assert shown.status_code == 200
    cluster.wait_until(lambda: ride.has_total(bike, "25"))
    ride.note(after, "22233", "twos")
    cluster.wait_until(lambda: ride.has_total(after, "6"))


def test_what_was_only_in_redis_is_found_by_the_sweeper(cluster: Cluster, ride: Ride) -> None:
    bike = ride.bikes[0]
    for name in ("worker-1", "worker-2"):
        cluster[name].stop()
    ride.note(bike, "22233", "full_house")
    # The message is there, and goes with all of Redis.
    cluster.wait_until_sent("follow")
    cluster["redis"].kill()
    cluster["redis"].start()

    for name in ("worker-1", "worker-2"):
        cluster[name].start()

    cluster.wait_until(lambda: ride.has_total(bike, "25"))


def test_a_redis_that_takes_calls_and_never_answers_costs_the_crew_no_time(cluster: Cluster, ride: Ride) -> None:
    took: dict[str, list[float]] = {"usual": [], "hanging": []}
    for bike, state in zip(ride.bikes[:6], cycle(took), strict=False):
        if state == "hanging":
            cluster["redis"].freeze()
        page = ride.tap(bike, "22233")
        began = time.perf_counter()
        answer = ride.phone.press(page, choose="score:full_house")
        took[state].append(time.perf_counter() - began)
        cluster["redis"].thaw()
        assert answer.status_code == 200

    # Waiting for Redis would be 5 seconds, and 1 for a connection.
    assert median(took["hanging"]) < median(took["usual"]) + 0.5
    for bike in ride.bikes[:6]:
        cluster.wait_until(partial(ride.has_total, bike, "25"))
