"""A whole ride on many machines, while every process it depends on is killed in turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

import pytest

from tests.cluster.cluster import Cluster
from tests.faults import log_checks
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything, check_kinds
from tests.faults.operation_generator import OperationGenerator
from tests.faults.organiser import OrganiserThread
from tests.faults.phones import Sending
from tests.faults.proxy import Fault, Proxy
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.screens import Screens
from tests.faults.servers import wait_until
from tests.programs import TIMEOUT_SECONDS

PHONES = 8
TABLES = 4
EACH = scaled(1250, 46)  # operations of every kind, from each phone
OPERATIONS = PHONES * EACH
FAULTS = [fault for fault in Fault if fault is not Fault.NONE]
BOARDS, BIG_SCREENS = 7, 1
# How often each process is killed; in the short run, one of each kind once.
KILLS = {
    "web-1": scaled(25, 1),
    "web-2": scaled(25, 0),
    "worker-1": scaled(10, 1),
    "worker-2": scaled(10, 0),
    "postgres": scaled(10, 1),
    "redis": scaled(10, 1),
    "streams": scaled(10, 1),
    "sweeper": scaled(2, 1),
}
# Seconds after the standings: a lost stream is detected after 12. The short run only has to finish.
SCREENS_WITHIN = scaled(30, TIMEOUT_SECONDS)


def get_fault(plan: Sequence[Fault], number: int) -> Fault:
    """Return the fault of a request: none after the end of the plan."""
    return plan[number] if number < len(plan) else Fault.NONE


@pytest.mark.timeout(1200)
def test_nothing_is_lost_and_every_screen_is_right_while_processes_are_killed(
    cluster: Cluster, make_fault_ride: Callable[..., FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(scaled(2000, 30), PHONES, TABLES)
    victims = [name for name, times in KILLS.items() for _ in range(times)]
    chance = random.Random(4)
    chance.shuffle(victims)
    # Every fourth request fails, until the planned number of faults is reached.
    plan = [chance.choice([*[Fault.NONE] * 3, chance.choice(FAULTS)]) for _ in range(scaled(2400, 60))]
    pages = [ride.board] * BOARDS + [f"/events/{ride.slug}/screen"] * BIG_SCREENS
    screens = Screens(cluster.url, pages)

    with ExitStack() as stack:
        shown = stack.enter_context(screens)
        line = stack.enter_context(Proxy(cluster.ports["front"], partial(get_fault, plan), scaled(2, 1)))
        phones = OperationGenerator(ride, cluster.database, seed=4).make_phones(line.port, EACH, batch=1)
        sending = stack.enter_context(Sending(phones))
        desk = stack.enter_context(OrganiserThread(line.port, ride, cluster.database, sending, OPERATIONS))
        for name in victims:
            # A kill counts only during writing: there were receipts since the last kill.
            wait_until(partial(sending.has_more_than, sending.count_receipts()), "receipts come")
            program = cluster[name]
            program.wait_until_ready()
            program.kill()
            program.launch()
        assert not sending.is_over, "the kills came after all was sent"
        for phone in phones:
            phone.batch = scaled(20, 5)
        sending.wait(seconds=900)
        desk.wait()
        for program in cluster.programs.values():
            program.wait_until_ready()
        took = check_everything(cluster.database, cluster.url, ride, phones)
        table = log_checks.fold(ride, log_checks.list_ride_entries(ride, log_checks.read_log(cluster.database)))
        screens.wait_until_all_show(table, SCREENS_WITHIN)

    faults = line.done.total() - line.done[Fault.NONE]
    check_kinds(cluster.database, ride, desk)
    cluster.manage("verify", ride.slug)
    assert sum(len(phone.receipts) for phone in phones) >= OPERATIONS
    assert all(screen.opened > 1 for screen in shown), "no screen lost its stream"
    killed = Counter(name.partition("-")[0] for name in victims)
    kills = ", ".join(f"{name} {times} times" for name, times in sorted(killed.items()))
    figures.add(
        "1, 3 · a whole ride on many machines, everything killed in turn",
        f"{OPERATIONS:,} operations of every kind from {PHONES} phones that share their cards, and "
        f"{len(desk.recorded)} by the organiser, under {faults:,} faults of the line; killed: {kills}. 0 acknowledged "
        f"lost, 0 doubled, verify clean, standings right {took:.1f} s after the last receipt, and {len(shown)} open "
        "screens the same as the log",
    )
