"""Workers are killed at any moment, also between a commit and the refresh of the standings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
import pytest

from tests.cluster.cluster import Cluster
from tests.faults.figures import Figures
from tests.faults.final_checks import MAX_SECONDS, check_everything
from tests.faults.operation_generator import OperationGenerator
from tests.faults.phones import Phone, split_between_phones
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.servers import wait_until

WORKERS = ("worker-1", "worker-2")
TABLES = 4
STATE = "SELECT 1 FROM standings_standingsstate WHERE contest_id = %s"
HELD = STATE + " FOR UPDATE"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"


@contextmanager
def standings_held(cluster: Cluster, ride: FaultRide) -> Iterator[None]:
    """Lock the standings of the ride, so that writers wait."""
    with psycopg.connect(cluster.database) as connection:
        connection.execute(HELD, [ride.contest])
        yield


def is_waiting(cluster: Cluster, name: str) -> bool:
    """Whether the worker has started on the standings and waits to write them."""
    return cluster.query(WAITING, f"tailgunner-{name}") != [(0,)]


def has_standings(cluster: Cluster, ride: FaultRide) -> bool:
    """Whether the ride has standings that could be locked."""
    return bool(cluster.query(STATE, ride.contest))


def send(phone: Phone, operations: list[dict[str, Any]]) -> None:
    """Send these at once and check that each gets a receipt."""
    phone.queue += operations
    assert phone.send_once(phone.queue)
    assert not phone.queue


@pytest.mark.timeout(900)
def test_workers_that_are_killed_leave_the_standings_right(
    cluster: Cluster, make_fault_ride: Callable[..., FaultRide], figures: Figures
) -> None:
    kills, count = scaled(100, 2), scaled(5000, 300)
    ride = make_fault_ride(scaled(1000, 60), 1, TABLES)
    load = OperationGenerator(ride, cluster.database, seed=7)
    (phone,) = split_between_phones(cluster.ports["front"], ride.phones, [], batch=50)
    coming = load.make_operations(0, count)
    send(phone, load.make_ties())
    cluster.wait_until(partial(has_standings, cluster, ride))

    for number in range(kills):
        name = WORKERS[number % 2]
        cluster[name].wait_until_ready()
        if number % 4 < 2:
            # Committed, started by this worker, and not in the standings yet.
            with standings_held(cluster, ride):
                while not is_waiting(cluster, name):
                    send(phone, [next(coming)])
                cluster[name].kill()
        else:
            send(phone, [next(coming) for _ in range(5)])
            cluster[name].kill()
        cluster[name].launch()
    for name in WORKERS:
        cluster[name].wait_until_ready()
    phone.source = coming
    phone.send_all(threading.Event())

    took = check_everything(cluster.database, cluster.url, ride, [phone])
    assert len(phone.receipts) >= count
    figures.add(
        "7 · workers killed",
        f"{kills} kills under {count:,} operations of every kind that phones send, half of them between a commit and "
        f"its standings: standings right {took:.1f} s after the last receipt",
    )


def test_the_sweeper_finishes_what_both_killed_workers_had_started(
    cluster: Cluster, make_fault_ride: Callable[[int, int], FaultRide]
) -> None:
    """Their messages return to the queue only after minutes: the sweeper is faster."""
    ride = make_fault_ride(8, 1)
    turns = ride.make_turns(seed=8)
    (phone,) = split_between_phones(cluster.ports["front"], ride.phones, [], batch=20)
    send(phone, turns[:8])
    cluster.wait_until(partial(has_standings, cluster, ride))

    with standings_held(cluster, ride):
        for some in (turns[8:16], turns[16:24]):
            send(phone, some)
        for name in WORKERS:
            wait_until(partial(is_waiting, cluster, name), f"{name} follows")
        for name in WORKERS:
            cluster[name].kill()
    cluster.start(*WORKERS)

    assert check_everything(cluster.database, cluster.url, ride, [phone]) < MAX_SECONDS
