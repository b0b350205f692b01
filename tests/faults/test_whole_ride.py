"""A whole ride on many machines, while everything it stands on is killed in turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from tests.cluster.cluster import Cluster
from tests.faults import judge
from tests.faults.figures import Figures
from tests.faults.phones import Sending, share_out
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.screens import Screens
from tests.faults.servers import wait_until
from tests.faults.verdict import reach_verdict

PHONES = 8
BOARDS, BIG_SCREENS = 7, 1
# How often each is killed; in the short run, everything once.
KILLS = {
    "web-1": scaled(25, 1),
    "web-2": scaled(25, 1),
    "worker-1": scaled(10, 1),
    "worker-2": scaled(10, 1),
    "postgres": scaled(10, 1),
    "redis": scaled(10, 1),
    "streams": scaled(10, 1),
    "beat": scaled(2, 1),
}
SCREENS_WITHIN = 30.0  # seconds after the standings: a stream that was lost is missed after 12


@pytest.mark.timeout(1200)
def test_nothing_is_lost_and_every_screen_is_right_whatever_is_killed(
    cluster: Cluster, make_fault_ride: Callable[[int, int], FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(scaled(2000, 24), PHONES)
    turns = ride.make_turns(seed=4)
    victims = [name for name, times in KILLS.items() for _ in range(times)]
    random.Random(4).shuffle(victims)
    phones = share_out(cluster.ports["front"], ride.phones, turns, batch=1)
    pages = [ride.board] * BOARDS + [f"/events/{ride.slug}/screen"] * BIG_SCREENS
    screens = Screens(cluster.url, pages)

    with screens as shown, Sending(phones) as sending:
        for name in victims:
            # A kill counts while something is being written: receipts have come since the last one.
            wait_until(partial(sending.has_more_than, sending.count_receipts()), "receipts come")
            program = cluster[name]
            program.wait_until_ready()
            program.kill()
            program.launch()
        assert not sending.is_over, "the kills came after all was sent"
        sending.wait(seconds=900)
        for program in cluster.programs.values():
            program.wait_until_ready()
        took = reach_verdict(cluster.database, cluster.url, ride, phones)
        folded = judge.fold(ride, judge.list_of_ride(ride, judge.read_log(cluster.database)))
        table = {ride.bike_of[card]: row for card, row in folded.items()}
        screens.wait_until(
            lambda: all(screen.table == table for screen in shown), SCREENS_WITHIN, "every screen shows the same table"
        )

    assert {receipt["outcome"] for phone in phones for receipt in phone.receipts.values()} == {"recorded"}
    assert sum(len(phone.receipts) for phone in phones) == len(turns)
    assert all(screen.opened > 1 for screen in shown), "no screen lost its stream"
    killed = Counter(name.partition("-")[0] for name in victims)
    told = ", ".join(f"{name} {times} times" for name, times in sorted(killed.items()))
    figures.tell(
        "1, 3 · a whole ride on many machines, everything killed in turn",
        f"{len(turns):,} operations from {PHONES} phones; killed: {told}. 0 acknowledged lost, 0 doubled, standings "
        f"right {took:.1f} s after the last receipt, and {len(shown)} open screens the same as the log",
    )
