"""The small set-up under faults: bad lines, repetitions at once, a web server and a worker that are killed."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.faults import judge
from tests.faults.figures import Figures
from tests.faults.phones import Phone, Sending, post, share_out
from tests.faults.proxy import Fault, Proxy
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.servers import SmallServer, serve_small, wait_until
from tests.faults.verdict import reach_verdict

PHONES = 8
FAULTS = [fault for fault in Fault if fault is not Fault.NONE]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SmallServer]:
    """A ride whose bikes have a turn at each of five stops: 10,000 turns in a full run."""
    with serve_small(tmp_path, bikes=scaled(2000, 60), phones=PHONES) as server:
        yield server


def read_receipt(reply: bytes) -> dict[str, Any]:
    """Return the one receipt of an answer."""
    (receipt,) = json.loads(reply)["receipts"]
    return dict(receipt)


def check(server: SmallServer, phones: list[Phone]) -> float:
    """Check what all of this is for; return how many seconds the standings took to be right."""
    judge.check_file(server.database)
    return reach_verdict(server.database, server.url, server.ride, phones)


@pytest.mark.timeout(1800)
def test_nothing_is_lost_or_doubled_on_bad_lines(server: SmallServer, figures: Figures) -> None:
    turns = server.ride.make_turns(seed=1)
    chance = random.Random(1)
    # Every second request goes wrong, until as many have as there were to be.
    plan = [chance.choice([Fault.NONE, chance.choice(FAULTS)]) for _ in range(scaled(1200, 60))]

    with Proxy(server.port, lambda number: plan[number] if number < len(plan) else Fault.NONE) as line:
        phones = share_out(line.port, server.ride.phones, turns, batch=scaled(10, 5))
        with Sending(phones) as sending:
            sending.wait(seconds=1500)
        faults = line.done.total() - line.done[Fault.NONE]

    took = check(server, phones)
    receipts = [receipt for phone in phones for receipt in phone.receipts.values()]
    assert {receipt["outcome"] for receipt in receipts} == {"recorded"}
    assert len(receipts) == len(turns)
    assert faults >= scaled(500, 20)
    figures.tell(
        "1 · bad lines, on SQLite",
        f"{len(turns):,} operations from {PHONES} phones under {faults:,} faults: 0 acknowledged lost, 0 doubled, "
        f"standings right {took:.1f} s later",
    )


def test_one_operation_sent_several_times_at_once_counts_once(server: SmallServer, figures: Figures) -> None:
    turns = server.ride.make_turns(seed=2)[: scaled(1000, 40)]
    cookie, chance = server.ride.phones[0], random.Random(2)

    def send(turn: dict[str, object]) -> None:
        copies = chance.randint(2, 5)
        barrier = threading.Barrier(copies)

        def once(_copy: int) -> bytes:
            barrier.wait()
            status, reply = post(server.port, cookie, [turn])
            assert status == 200, reply
            return reply

        with ThreadPoolExecutor(copies) as pool:
            receipts = {str(read_receipt(reply)) for reply in pool.map(once, range(copies))}
        assert len(receipts) == 1
        status, reply = post(server.port, cookie, [{**turn, "takes_over": True}])
        assert (status, read_receipt(reply)["outcome"]) == (200, "other_body")

    for turn in turns:
        send(turn)

    log = judge.read_log(server.database)
    assert sorted(link.operation for link in log) == sorted(str(turn["id"]) for turn in turns)
    figures.tell(
        "2 · one operation several times at once, on SQLite",
        f"{len(turns):,} operations, each sent 2 to 5 times at once: {len(log):,} entries, identical receipts, "
        "the same id with another body refused every time",
    )


@pytest.mark.timeout(1200)
def test_a_web_server_that_is_killed_loses_nothing_it_acknowledged(tmp_path: Path, figures: Figures) -> None:
    # Whoever dies again and again is started again ever later; so the whole is stopped and started in between.
    starts, kills, bikes = scaled(10, 1), scaled(5, 4), scaled(2000, 60)
    ride: FaultRide | None = None
    phones: list[Phone] = []
    for start in range(starts):
        with serve_small(tmp_path, bikes, PHONES, ride) as server:
            ride = server.ride
            phones = phones or share_out(server.port, ride.phones, ride.make_turns(seed=3), batch=1)
            for phone in phones:
                phone.port = server.port
            with Sending(phones) as sending:
                for _ in range(kills):
                    # A kill counts while something is being written: receipts have come since the last one.
                    wait_until(partial(sending.has_more_than, sending.count_receipts()), "receipts come")
                    server.kill("uvicorn")
                assert not sending.is_over, "the kills came after all was sent"
                if start == starts - 1:
                    for phone in phones:
                        phone.batch = 50
                    sending.wait(seconds=600)
            took = check(server, phones)

    figures.tell(
        "3, 5 · the web server killed while it writes, on SQLite",
        f"{starts * kills} kills under {bikes * len(server.ride.slots):,} operations: 0 acknowledged lost, 0 doubled, "
        f"integrity check clean, standings right {took:.1f} s later",
    )


@pytest.mark.timeout(900)
def test_eight_who_write_at_once_are_never_told_that_the_file_is_locked(server: SmallServer, figures: Figures) -> None:
    each = scaled(500, 20)
    turns = server.ride.make_turns(seed=5)[: PHONES * each]
    phones = share_out(server.port, server.ride.phones, turns, batch=1)

    with Sending(phones) as sending:
        sending.wait(seconds=600)

    took = check(server, phones)
    assert [len(phone.receipts) for phone in phones] == [each] * PHONES
    assert [(phone.tries, phone.statuses, phone.lost) for phone in phones] == [(each, [], 0)] * PHONES
    assert [line for line in server.lines if "locked" in line] == []
    figures.tell(
        "5 · eight writers at once, on SQLite",
        f"{PHONES} phones of {each} operations each: every request answered 200 at the first try, the longest after "
        f"{max(max(phone.took) for phone in phones):.2f} s; no line of the log says locked, standings "
        f"right {took:.1f} s later",
    )
