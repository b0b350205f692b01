"""A worker is killed in the middle of a long task: the next one takes it up within seconds."""

from __future__ import annotations

import http.client
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cluster.cluster import Cluster
from tests.demo_data import copy_data
from tests.faults.figures import Figures
from tests.faults.phones import split_between_phones
from tests.faults.ride import FaultRide, make_ride
from tests.faults.scale import scaled
from tests.faults.servers import SmallServer, serve_small, wait_until
from tests.programs import TIMEOUT_SECONDS

pytestmark = pytest.mark.program

BIKES = scaled(400, 150)
# The lease of a run, the sweeper's interval, and a new worker that starts on a busy machine.
MAX_SECONDS = 30
QUEUED, DONE = 0, 3
JOB = "SELECT step, file_id IS NOT NULL, attempts FROM prints_printjob"
CHANCES = "SELECT is_running, source FROM standings_chancesreport"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallServer]:
    data = tmp_path_factory.mktemp("abandoned") / "data"
    copy_data(data)
    ride = make_ride(data, {}, BIKES, 1)
    with serve_small(data, ride) as running:
        record_turns(running.port, ride)
        yield running


def record_turns(port: int, ride: FaultRide) -> None:
    (phone,) = split_between_phones(port, ride.phones, [], batch=50)
    turns = ride.make_turns(seed=44)
    while turns:
        phone.queue += turns[:50]
        del turns[:50]
        assert phone.send_once(phone.queue)


def ask_for_print(port: int, ride: FaultRide) -> None:
    """Ask for all scorecards, as anyone may."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)) as caller:
        caller.request("GET", f"{ride.board}print/scorecards.pdf")
        response = caller.getresponse()
        assert response.status == 302, response.read()
        assert re.search(r"/[0-9a-f-]{36}", response.headers["Location"])


def query(database: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as connection:
        return connection.execute(statement).fetchall()


def is_begun(read: Callable[[], list[tuple[Any, ...]]]) -> bool:
    return any(QUEUED < step < DONE for step, _has_file, _attempts in read())


def is_made(read: Callable[[], list[tuple[Any, ...]]]) -> bool:
    return any(has_file for _step, has_file, _attempts in read())


class Times(NamedTuple):
    """Seconds from the moment in which the worker was killed, until the next one began, and until it was done."""

    begun: float
    made: float


def time_print(read: Callable[[], list[tuple[Any, ...]]], ask: Callable[[], None], kill: Callable[[], object]) -> Times:
    """Kill a worker that makes a document, and measure how soon the next one makes it."""
    ask()
    wait_until(partial(is_begun, read), "the document is being made")
    kill()
    start = time.monotonic()
    wait_until(lambda: any(attempts == 2 for _step, _has_file, attempts in read()), "another worker has begun it")
    begun = time.monotonic() - start
    wait_until(partial(is_made, read), "the document is there")
    return Times(begun, time.monotonic() - start)


@pytest.mark.timeout(600)
def test_a_document_whose_worker_was_killed_is_made_by_the_next_one(server: SmallServer, figures: Figures) -> None:
    read = partial(query, server.database, JOB)

    took = time_print(read, partial(ask_for_print, server.port, server.ride), partial(server.kill, "slow"))

    assert took.begun < MAX_SECONDS
    figures.add(
        "7 · a document whose worker was killed, on SQLite",
        f"{BIKES} scorecards, the worker killed while it made them: taken up {took.begun:.1f} s later by the worker "
        f"that was started in its place, and there after {took.made:.1f} s",
    )


@pytest.mark.timeout(600)
def test_chances_whose_worker_was_killed_are_computed_by_the_next_one(server: SmallServer, figures: Figures) -> None:
    with closing(sqlite3.connect(server.database, timeout=30)) as connection, connection:
        connection.execute("UPDATE events_contest SET odds_shown = 'screen'")
    read = partial(query, server.database, CHANCES)
    wait_until(lambda: any(is_running for is_running, _source in read()), "the chances are computed")
    server.kill("slow")
    start = time.monotonic()

    wait_until(lambda: any(source for _is_running, source in read()), "the chances are there")

    took = time.monotonic() - start
    assert took < MAX_SECONDS, "they were not left until the claim of the dead worker had expired"
    figures.add(
        "7 · chances to win whose worker was killed, on SQLite",
        f"of {BIKES} bikes: there {took:.1f} s later, by the worker that was started in its place",
    )


@pytest.mark.timeout(900)
def test_another_worker_takes_it_up_with_redis(
    cluster: Cluster, make_fault_ride: Callable[..., FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(BIKES, 1)
    record_turns(cluster.ports["front"], ride)
    cluster["worker-1"].kill()

    def read() -> list[tuple[Any, ...]]:
        return cluster.query(f"{JOB} WHERE event_id = %s", ride.event)

    def kill() -> None:
        cluster["worker-2"].kill()
        cluster["worker-1"].launch()

    took = time_print(read, partial(ask_for_print, cluster.ports["front"], ride), kill)

    assert took.begun < MAX_SECONDS
    figures.add(
        "7 · a document whose worker was killed, with Redis",
        f"{BIKES} scorecards, the worker killed while it made them: taken up {took.begun:.1f} s later by another "
        f"worker, and there after {took.made:.1f} s",
    )
