"""Processes of one installation whose clocks differ from each other and from the database's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.cluster.cluster import Cluster
from tests.faults.clocks import HOURS_48, shift_clock
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything
from tests.faults.operation_generator import OperationGenerator
from tests.faults.phones import Sending
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.programs import TIMEOUT_SECONDS

# Seconds ahead of the database's clock.
AHEAD = {"web-1": HOURS_48, "web-2": -HOURS_48, "worker-1": 60, "worker-2": -60, "sweeper": -HOURS_48}
WORKERS = ("worker-1", "worker-2")
TABLES = 2
EACH = scaled(250, 10)  # operations, from each of two phones, twice


@pytest.fixture
def skewed(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, with a different clock in each of our processes."""
    for name, seconds in AHEAD.items():
        shift_clock(cluster[name].pid, seconds)
    yield cluster
    for name, seconds in AHEAD.items():
        shift_clock(cluster[name].pid, -seconds)


def test_standings_do_not_depend_on_which_clock_is_right(
    skewed: Cluster, make_fault_ride: Callable[..., FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(scaled(200, 12), 2, TABLES)
    phones, late = (
        OperationGenerator(ride, skewed.database, seed).make_phones(skewed.ports["front"], EACH, 5) for seed in (13, 14)
    )
    with Sending(phones) as sending:
        sending.wait(TIMEOUT_SECONDS)
    by_message = check_everything(skewed.database, skewed.url, ride, phones)

    # Send the rest with every message lost.
    for name in WORKERS:
        skewed[name].freeze()
    with Sending(late) as sending:
        sending.wait(TIMEOUT_SECONDS)
    skewed.wait_until_sent("follow")
    skewed["redis"].kill()
    skewed["redis"].start()
    for name in WORKERS:
        skewed[name].thaw()
    by_sweeper = check_everything(skewed.database, skewed.url, ride, [*phones, *late])

    figures.add(
        "13 · clocks of all processes and of the database disagree",
        f"web processes 48 hours ahead and behind, workers a minute, the sweeper 48 hours behind; {4 * EACH:,} "
        f"operations of every kind that phones send: standings right {by_message:.1f} s after the last receipt, and "
        f"{by_sweeper:.1f} s with every message lost",
    )
