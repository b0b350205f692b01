"""Receivers of webhooks that hang, drip, fail and redirect: the standings do not wait, and attempts back off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from scorekeeper.webhooks.deliveries import RETRY_DELAYS
from scorekeeper.webhooks.receiver_connection import JITTER
from tests.cluster.cluster import Cluster
from tests.demo_data import copy_data
from tests.faults import log_checks
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything
from tests.faults.phones import Phone, split_between_phones
from tests.faults.receivers import BadReceivers, run_bad_receivers
from tests.faults.ride import FaultRide, make_ride
from tests.faults.scale import FULL, scaled
from tests.faults.servers import serve_small, wait_until
from tests.programs import run_manage

ATTEMPTS = scaled(4, 2)  # at each receiver
USUAL = scaled(60, 2)  # turns without webhooks
BIKES = scaled(400, 8)
SLOWER = 1.25  # times as long as without, at most
REST = 0.2  # seconds between two turns
# Until each receiver has had its attempts: their pauses, and for each the time until it is given up and asked for.
WITHIN = sum(delay.total_seconds() for delay in RETRY_DELAYS[: ATTEMPTS - 1]) * (1 + JITTER) + 60 * ATTEMPTS
VERSION = "SELECT version FROM standings_standingsstate WHERE contest_id = {}"
ADD_WEBHOOKS = """
from scorekeeper.events.models import Event
from scorekeeper.webhooks.models import CHOOSABLE
from scorekeeper.webhooks.services import add_webhook
for url in {urls!r}:
    add_webhook(Event.objects.get(pk={event!r}), url, list(CHOOSABLE))
"""


@dataclass
class Stage:
    """A program with a ride.

    Attributes:
        database: as `log_checks` reads it.
        add: runs a script in the program's environment.
        count_refreshes: how many tasks of the standings the workers have ended.
    """

    ride: FaultRide
    phone: Phone
    database: str | Path
    url: str
    add: Callable[[str], object]
    count_refreshes: Callable[[], int]

    def add_webhooks(self, receivers: BadReceivers) -> None:
        """Add a webhook for each of the receivers."""
        urls = [receiver.url for receiver in receivers.values()]
        self.add(ADD_WEBHOOKS.format(urls=urls, event=self.ride.event))

    def record(self) -> float:
        """Record a turn, and return the seconds until a worker has put it into the standings."""
        version, refreshes = self._read_version(), self.count_refreshes()
        began = time.monotonic()
        assert self.phone.send_once(self.phone.queue[:1])
        while self._read_version() == version:
            assert time.monotonic() - began < WITHIN, "no standings"
        took = time.monotonic() - began
        # Not the sweeper, which would come to it sooner or later.
        wait_until(lambda: self.count_refreshes() > refreshes, "a worker has said so")
        return took

    def _read_version(self) -> int:
        rows = log_checks.query(self.database, VERSION, self.ride.contest)
        return int(rows[0][0]) if rows else 0


@pytest.fixture
def receivers() -> Iterator[BadReceivers]:
    with run_bad_receivers() as running:
        yield running


def count_refreshes(lines: list[str]) -> int:
    return sum("standings.follow" in line and "task" in line for line in list(lines))


def is_holding(receivers: BadReceivers) -> bool:
    """Whether attempts hang now."""
    return all(receivers[name].open for name in ("hanging", "hanging too", "slow"))


def check(stage: Stage, receivers: BadReceivers) -> str:
    """Record turns while attempts hang, and check what becomes of the standings and of the attempts."""
    usual = [stage.record() for _ in range(USUAL)]
    stage.add_webhooks(receivers)
    stage.record()  # the change that they are told about
    receivers.wait_until(lambda: is_holding(receivers))

    hindered = [stage.record()]
    assert is_holding(receivers), "the standings have waited for a receiver"
    until = time.monotonic() + WITHIN
    while FULL and any(len(one.arrivals) < ATTEMPTS for one in receivers.values()) and time.monotonic() < until:
        took = stage.record()
        if is_holding(receivers):
            hindered.append(took)
        time.sleep(REST)  # phones do not send all the time
    receivers.wait_for_attempts(ATTEMPTS, WITHIN)

    for name, receiver in receivers.items():
        pauses = [delay.total_seconds() * (1 - JITTER) for delay in RETRY_DELAYS[: len(receiver.gaps)]]
        assert all(gap >= pause for gap, pause in zip(receiver.gaps, pauses, strict=True)), (name, receiver.gaps)
        assert receiver.most_open == 1, name
    ratio = median(hindered) / median(usual)
    if FULL:
        assert ratio < SLOWER
    check_everything(stage.database, stage.url, stage.ride, [stage.phone])
    return (
        f"{len(hindered)} turns while receivers hung, of {USUAL + len(hindered)}: in the standings after "
        f"{median(hindered):.2f} s, and {median(usual):.2f} s without webhooks ({ratio:.2f} times); each receiver was "
        f"tried {ATTEMPTS} times, by one attempt at a time, after pauses of "
        + ", ".join(f"{gap:.0f}" for gap in receivers["failing"].gaps[: ATTEMPTS - 1])
        + " s"
    )


@pytest.mark.program
@pytest.mark.timeout(900)
def test_receivers_that_misbehave_do_not_delay_the_standings_on_sqlite(
    receivers: BadReceivers, tmp_path: Path, figures: Figures
) -> None:
    copy_data(tmp_path)
    ride = make_ride(tmp_path, {}, bikes=BIKES, phones=1)
    # Only a worker may be as quick as this test wants it.
    with serve_small(tmp_path, ride, WEBHOOKS_TO_LOOPBACK="yes", SWEEP_SECONDS="300") as server:
        (phone,) = split_between_phones(server.port, ride.phones, ride.make_turns(seed=44), batch=1)

        def add(script: str) -> None:
            run = run_manage(tmp_path, "shell", "--no-imports", "-c", script, WEBHOOKS_TO_LOOPBACK="yes")
            assert run.returncode == 0, run.stderr

        stage = Stage(ride, phone, server.database, server.url, add, lambda: count_refreshes(server.lines))
        measured = check(stage, receivers)
        figures.add("41 · hanging, slow, failing and redirecting receivers, 5 at once, on SQLite", measured)


@pytest.mark.timeout(900)
def test_receivers_that_misbehave_do_not_delay_the_standings_on_a_cluster(
    receivers: BadReceivers, cluster: Cluster, make_fault_ride: Callable[..., FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(BIKES, 1)
    (phone,) = split_between_phones(cluster.ports["front"], ride.phones, ride.make_turns(seed=45), batch=1)
    stage = Stage(
        ride,
        phone,
        cluster.database,
        cluster.url,
        lambda script: cluster.manage("shell", "--no-imports", "-c", script),
        lambda: sum(count_refreshes(cluster[name].lines) for name in ("worker-1", "worker-2")),
    )

    figures.add("41 · hanging, slow, failing and redirecting receivers, 5 at once, with Redis", check(stage, receivers))
