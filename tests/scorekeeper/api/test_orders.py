"""Queues of several phones, sent in any order, in batches of any size, and partly more than once.

Terms: an *order* is one sequence in which all operations may arrive. A phone sends an operation again after "not yet".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.services.refresh import refresh_standings
from tests.faults.figures import Figures
from tests.faults.ride import BOXES, FaultRide, make_ride_here
from tests.faults.scale import scaled
from tests.scorekeeper.api.conftest import post, rollback_at_end

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Data = dict[str, Any]

PHONES = 4
# Number of sets, and of orders per set; for both kinds of sets, and on each database.
SETS, ORDERS = scaled(20, 2), scaled(25, 2)
MIN_SIZE, MAX_SIZE = 20, 200  # operations of a set; small sets are more frequent
MAX_BATCH = 100  # operations per request


@dataclass(frozen=True)
class QueuedOperation:
    """An operation in the queue of a phone."""

    phone: int
    operation: Data


class Phones:
    """The crew's phones."""

    def __init__(self, ride: FaultRide) -> None:
        self._clients = [Client() for _ in ride.phones]
        for client, cookie in zip(self._clients, ride.phones, strict=True):
            client.cookies[DEVICE_COOKIE] = cookie

    def send_all(self, queued: Sequence[QueuedOperation], chance: Random) -> dict[str, Data]:
        """Send all operations in a random order; return the receipts by operation."""
        remaining = [one for one in queued for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        chance.shuffle(remaining)
        receipts: dict[str, Data] = {}
        while remaining:
            piece = [remaining.pop() for _ in range(min(len(remaining), chance.randint(1, MAX_BATCH)))]
            for phone in range(len(self._clients)):
                batch = [one for one in piece if one.phone == phone]
                for one, receipt in zip(batch, self._send(phone, batch), strict=True):
                    if receipt["outcome"] == "not_yet":
                        remaining.insert(0, one)
                    else:
                        assert receipts.setdefault(receipt["id"], receipt) == receipt, "a duplicate got another receipt"
        return receipts

    def _send(self, phone: int, batch: Sequence[QueuedOperation]) -> list[Data]:
        if not batch:
            return []
        answer = post(self._clients[phone], {"operations": [one.operation for one in batch]})
        assert answer.status_code == 200, answer.content
        receipts: list[Data] = answer.json()["receipts"]
        return receipts


def make_id(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


@pytest.fixture
def ride(db: None, django_capture_on_commit_callbacks: Any) -> FaultRide:
    """A ride that has begun: its contest's frozen rules are cached, as in production."""
    ride = make_ride_here(40, PHONES)
    Contest.objects.update(frozen_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        get_contest_rules(UUID(ride.contest))
    return ride


def draw_size(chance: Random) -> int:
    return MIN_SIZE + int((MAX_SIZE - MIN_SIZE + 1) * chance.random() ** 2)


def make_consistent_queues(ride: FaultRide, chance: Random) -> list[QueuedOperation]:
    """Return turns of listed bikes and walk-ups, some recorded by two phones, and retirements."""
    walk_ups = {make_id(chance): number for number in range(900, 900 + chance.randint(1, 4))}
    listed = ride.bikes[len(walk_ups) :]
    replacements = dict(zip(ride.bikes, walk_ups, strict=False))
    leaving = chance.sample(listed, 2)
    operations: list[Data] = [
        {"id": make_id(chance), "kind": "register_bike", "bike": bike, "number": number}
        for bike, number in walk_ups.items()
    ]
    leaves = {"kind": "retire", "contest": ride.contest, "reason": "flat tyre"}
    operations += [{"id": make_id(chance), **leaves, "bike": bike} for bike in leaving]
    # A bike that has played all its turns can no longer retire (TABLE-3).
    turns = [
        {**turn, "bike": replacements.get(turn["bike"], turn["bike"])}
        for turn in ride.make_turns(chance.getrandbits(32))
        if turn["bike"] not in leaving or turn["slot"] != ride.slots[-1]
    ]
    chance.shuffle(turns)
    for turn in turns:
        operations.append(turn)
        if chance.random() < 0.2:
            operations.append({**turn, "id": make_id(chance)})
    return [QueuedOperation(chance.randrange(PHONES), operation) for operation in operations[: draw_size(chance)]]


def make_contradictory_queues(ride: FaultRide, chance: Random) -> list[QueuedOperation]:
    """Return turns of a few bikes, by any phone, in any slot, into any of a few boxes."""
    dice = [[1, 1, 1, 5, 5], [2, 3, 4, 5, 6], [6, 6, 6, 6, 6]]
    operations = [
        {
            "id": make_id(chance),
            "kind": "turn",
            "contest": ride.contest,
            "bike": chance.choice(ride.bikes[:8]),
            "slot": chance.choice(ride.slots),
            "actions": [
                {"type": "result", "dice": chance.choice(dice)},
                {"type": "score", "box": chance.choice(BOXES[:7])},
            ],
        }
        for _ in range(draw_size(chance))
    ]
    return [QueuedOperation(chance.randrange(PHONES), operation) for operation in operations]


def read_result(ride: FaultRide) -> tuple[object, ...]:
    """Return the result: the current turns, the bikes, and the standings."""
    contest = Contest.objects.get(pk=ride.contest)
    refresh_standings(contest.pk)
    rows = get_live_leaderboard(contest).rows
    return (
        sorted(Turn.objects.values_list("card_id", "slot_id", "line", "points")),
        sorted(Bike.objects.values_list("pk", "number", "suffix")),
        [(row.entrant_id, row.rank_label, row.total, row.turn_count, row.status) for row in rows],
    )


def count_places() -> Counter[UUID]:
    """Return how often each operation exists: in the log of a scorecard, or under review."""
    entries = Entry.objects.exclude(kind="review").values_list("operation_id", flat=True)
    return Counter(entries) + Counter(ReviewItem.objects.values_list("operation_id", flat=True))


@pytest.mark.timeout(1200)
@pytest.mark.slow
def test_consistent_operations_have_one_result_in_any_order(ride: FaultRide, figures: Figures) -> None:
    phones, sent = Phones(ride), 0
    for number in range(SETS):
        queued = make_consistent_queues(ride, Random(number))
        results = []
        for order in range(ORDERS):
            with rollback_at_end():
                receipts = phones.send_all(queued, Random(f"{number}, {order}"))
                outcomes = Counter(receipt["outcome"] for receipt in receipts.values())
                results.append((*read_result(ride), sorted(outcomes.items())))
                assert outcomes.keys() <= {"recorded", "merged"}
                assert set(receipts) == {one.operation["id"] for one in queued}
                assert set(count_places().values()) == {1}
                assert not ReviewItem.objects.exists()
        assert all(result == results[0] for result in results)
        sent = max(sent, len(queued))
    figures.add(
        f"8 · what does not contradict itself in any order, on {connection.vendor}",
        f"up to {sent} operations in {SETS * ORDERS:,} shuffled orders with copies, {SETS} sets: one result for each",
    )


@pytest.mark.timeout(1200)
@pytest.mark.slow
def test_contradictory_operations_exist_once_in_any_order(ride: FaultRide, figures: Figures) -> None:
    phones, sent, waiting = Phones(ride), 0, 0
    for number in range(SETS):
        queued = make_contradictory_queues(ride, Random(number))
        for order in range(ORDERS):
            with rollback_at_end():
                receipts = phones.send_all(queued, Random(f"{number}, {order}"))
                places = count_places()
                for one in queued:
                    name = UUID(one.operation["id"])
                    receipt = receipts[str(name)]
                    assert receipt["outcome"] in ("recorded", "merged", "conflict", "refused")
                    assert places[name] == 1
                    assert bool(receipt["review"]) == (receipt["outcome"] in ("conflict", "refused"))
                bodies = dict(Operation.objects.values_list("pk", "body"))
                assert [bodies[UUID(one.operation["id"])]["actions"] for one in queued] == [
                    one.operation["actions"] for one in queued
                ]
                waiting += ReviewItem.objects.count()
                read_result(ride)
        sent = max(sent, len(queued))
    assert waiting
    figures.add(
        f"8 · what contradicts itself in any order, on {connection.vendor}",
        f"up to {sent} operations in {SETS * ORDERS:,} shuffled orders with copies: each operation there "
        f"once, in the log or under review ({waiting:,} waited there)",
    )
