"""The small set-up's sweeper repairs what a lost message left behind, despite kills and wrong clocks."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.demo_data import copy_data
from tests.faults.clocks import HOURS_48, shift_clock, wait_for_clock, with_clock
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything
from tests.faults.phones import split_between_phones
from tests.faults.ride import FaultRide, make_rides
from tests.faults.scale import SWEEPS
from tests.faults.servers import SmallServer, serve_small

pytestmark = pytest.mark.program

WEB, WORKER, SWEEPER = "uvicorn", "follow", "sweep"
PROCESSES = (WEB, WORKER, "slow", "webhooks", SWEEPER)
Fault = Callable[[SmallServer], None]


def put_clocks(seconds: int, *processes: str) -> Fault:
    def put(server: SmallServer) -> None:
        for word in processes:
            shift_clock(server.wait_for_process(word), seconds)

    return put


def kill_sweeper(server: SmallServer) -> None:
    server.kill(SWEEPER)


# Each keeps the clock changes of the ones before.
FAULTS: dict[str, Fault] = {
    "the worker's clock a minute ahead of all others": put_clocks(60, WORKER),
    "all clocks put back by 48 hours": put_clocks(-HOURS_48, *PROCESSES),
    "all clocks put ahead by 48 hours": put_clocks(HOURS_48, *PROCESSES),
    "the sweeper killed": kill_sweeper,
}


@contextmanager
def worker_held(server: SmallServer) -> Iterator[None]:
    """Stop the worker from starting tasks."""
    group = server.wait_for_process(WORKER)
    wait_for_clock(group)
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def check_that_the_sweeper_makes_up_for_a_lost_message(server: SmallServer, fault: Fault, seed: int) -> float:
    """Lose the messages about acknowledged turns; return after how many seconds the standings were right."""
    (phone,) = split_between_phones(server.port, server.ride.phones, server.ride.make_turns(seed), batch=50)
    queue = server.database.parent / "celery" / "queue"
    with worker_held(server):
        fault(server)
        assert phone.send_once(phone.queue)
        # The web server's unsent messages are lost with it.
        server.kill(WEB)
        for message in queue.glob("*.msg"):
            message.unlink()
    return check_everything(server.database, server.url, server.ride, [phone])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("swept")
    copy_data(folder)
    return folder


@pytest.fixture(scope="module")
def rides(data: Path) -> Iterator[FaultRide]:
    return iter(make_rides(data, {}, bikes=4, phones=1, rides=len(FAULTS) + 1))


@pytest.fixture(scope="module")
def server(data: Path, rides: Iterator[FaultRide]) -> Iterator[SmallServer]:
    """A server whose processes ran with their clocks two days ahead and were then restarted with the right time."""
    ride = next(rides)
    with serve_small(data, ride, **with_clock(), **SWEEPS) as running:
        ahead = put_clocks(HOURS_48, *PROCESSES)
        check_that_the_sweeper_makes_up_for_a_lost_message(running, ahead, seed=130)
        for word in (WORKER, SWEEPER):  # the check has killed the web server
            running.kill(word)
        yield running


@pytest.mark.parametrize(("seed", "what"), list(enumerate(FAULTS, 131)), ids=FAULTS)
def test_the_sweeper_makes_up_for_a_lost_message(
    server: SmallServer, rides: Iterator[FaultRide], seed: int, what: str, figures: Figures
) -> None:
    took = check_that_the_sweeper_makes_up_for_a_lost_message(replace(server, ride=next(rides)), FAULTS[what], seed)

    figures.add(f"13 · {what}, on SQLite", f"the message about 20 turns lost: standings right {took:.1f} s later")
