"""Redis stops, hangs and comes back empty, and nobody who records a turn notices."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from statistics import median, quantiles

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.ride import ClusterRide
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything, wait_for_right_standings
from tests.faults.phones import Phone, Sending, split_between_phones
from tests.faults.ride import FaultRide
from tests.faults.scale import FULL, scaled
from tests.programs import TIMEOUT_SECONDS

PHONES = 8
USUAL, GONE = scaled(30, 1), scaled(120, 2)  # seconds
# The short run may share its machine, and only has to finish.
BACK_WITHIN = scaled(10, TIMEOUT_SECONDS)  # seconds
SLOWER = 1.5  # times as long as usual, at most
WEB = ("web-1", "web-2")
WORKERS = ("worker-1", "worker-2")


def test_a_turn_is_recorded_without_redis_and_reaches_the_standings_when_it_is_back(
    cluster: Cluster, ride: ClusterRide
) -> None:
    bike, after = ride.bikes[:2]
    cluster["redis"].kill()

    shown = ride.record_turn(bike, "22233", "full_house")
    cluster["redis"].start()

    assert shown.status_code == 200
    cluster.wait_until(lambda: ride.has_total(bike, "25"))
    ride.record_turn(after, "22233", "twos")
    cluster.wait_until(lambda: ride.has_total(after, "6"))


def test_the_sweeper_finds_work_that_was_only_in_redis(cluster: Cluster, ride: ClusterRide) -> None:
    bike = ride.bikes[0]
    cluster.stop(*WORKERS)
    ride.record_turn(bike, "22233", "full_house")
    # The message is in Redis, and is lost with everything else in it.
    cluster.wait_until_sent("follow")
    cluster["redis"].kill()
    cluster["redis"].start()

    cluster.start(*WORKERS)

    cluster.wait_until(lambda: ride.has_total(bike, "25"))


def test_a_redis_that_accepts_connections_and_never_answers_costs_the_crew_no_time(
    cluster: Cluster, ride: ClusterRide
) -> None:
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


def write_for(phones: list[Phone], seconds: float) -> float:
    """Let the phones send for this long; return the 95th percentile of their response times in seconds."""
    with Sending(phones) as sending:
        time.sleep(seconds)
        assert not sending.is_over, "nothing was left to send"
    return quantiles((took for phone in phones for took in phone.durations), n=20)[-1]


@pytest.mark.timeout(900)
def test_redis_gone_for_minutes_and_back_empty_costs_nobody_anything(
    cluster: Cluster, make_fault_ride: Callable[[int, int], FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(scaled(2500, 200), PHONES)
    turns = ride.make_turns(seed=6)
    fifth = len(turns) // 5
    usual, gone, swept = (
        split_between_phones(cluster.ports["front"], ride.phones, some, batch=1)
        for some in (turns[:fifth], turns[fifth:-8], turns[-8:])
    )
    for phone in (*usual, *gone):
        phone.rest = 0.1

    p95_usual = write_for(usual, USUAL)
    cluster["redis"].kill()
    p95_gone = write_for(gone, GONE)
    cluster["redis"].start()
    back = wait_for_right_standings(cluster.database, ride, BACK_WITHIN)

    # Now no process is left that has a message to send.
    cluster["redis"].kill()
    with Sending(swept) as sending:
        sending.wait(TIMEOUT_SECONDS)
    for name in WEB:
        cluster[name].kill()
    cluster["redis"].start()
    by_sweeper = wait_for_right_standings(cluster.database, ride)
    cluster.start(*WEB)

    phones = [*usual, *gone, *swept]
    check_everything(cluster.database, cluster.url, ride, phones)
    assert [(phone.statuses, phone.lost) for phone in phones] == [([], 0)] * len(phones)
    if FULL:
        assert p95_gone <= SLOWER * p95_usual
    figures.add(
        "6 · Redis gone, and back empty",
        f"gone for {GONE} s: {sum(len(one.receipts) for one in gone):,} turns, all accepted at the first try, "
        f"p95 {p95_gone * 1000:.0f} ms against {p95_usual * 1000:.0f} ms as usual ({p95_gone / p95_usual:.2f} times); "
        f"standings right {back:.1f} s after its return, and by the sweeper alone after {by_sweeper:.1f} s",
    )
