"""What several phones have kept, sent in any order, in pieces of any size, and some of it more than once.

Terms: an *order* is one way in which all of it may come in. A phone sends again what is answered "not yet".
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
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Entry, Operation, ReviewItem, Turn
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.services.refresh import refresh_standings
from tests.faults.figures import Figures
from tests.faults.ride import BOXES, FaultRide, make_ride_here
from tests.faults.scale import scaled
from tests.scorekeeper.api.conftest import post, rollback_at_end

pytestmark = pytest.mark.django_db

Data = dict[str, Any]

PHONES = 4
SETS, ORDERS = scaled(20, 2), scaled(25, 4)  # so many orders of each set; of both kinds, and on each database
FEWEST, MOST = 20, 200  # operations of a set; few more often than many
LONGEST = 100  # operations of one request


@dataclass(frozen=True)
class Kept:
    """An operation, and the phone that has it."""

    phone: int
    operation: Data


class Phones:
    """The crew's phones."""

    def __init__(self, ride: FaultRide) -> None:
        self._clients = [Client() for _ in ride.phones]
        for client, cookie in zip(self._clients, ride.phones, strict=True):
            client.cookies[DEVICE_COOKIE] = cookie

    def send_all(self, kept: Sequence[Kept], chance: Random) -> dict[str, Data]:
        """Send it in an order of its own; return the receipts by operation."""
        coming = [one for one in kept for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        chance.shuffle(coming)
        receipts: dict[str, Data] = {}
        while coming:
            piece = [coming.pop() for _ in range(min(len(coming), chance.randint(1, LONGEST)))]
            for phone in range(len(self._clients)):
                some = [one for one in piece if one.phone == phone]
                for one, receipt in zip(some, self._send(phone, some), strict=True):
                    if receipt["outcome"] == "not_yet":
                        coming.insert(0, one)
                    else:
                        assert receipts.setdefault(receipt["id"], receipt) == receipt, "a copy is answered otherwise"
        return receipts

    def _send(self, phone: int, some: Sequence[Kept]) -> list[Data]:
        if not some:
            return []
        answer = post(self._clients[phone], {"operations": [one.operation for one in some]})
        assert answer.status_code == 200, answer.content
        receipts: list[Data] = answer.json()["receipts"]
        return receipts


def make_id(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


@pytest.fixture
def ride(db: None, django_capture_on_commit_callbacks: Any) -> FaultRide:
    """A ride that has begun: what is frozen of its contest is kept in memory, as in use."""
    ride = make_ride_here(40, PHONES)
    Contest.objects.update(frozen_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        get_contest_rules(UUID(ride.contest))
    return ride


def draw_size(chance: Random) -> int:
    return FEWEST + int((MOST - FEWEST + 1) * chance.random() ** 2)


def keep_without_contradictions(ride: FaultRide, chance: Random) -> list[Kept]:
    """Turns of bikes on the list and of walk-ups, some of them noted by two phones, and bikes that leave."""
    walk_ups = {make_id(chance): number for number in range(900, 900 + chance.randint(1, 4))}
    listed = ride.bikes[len(walk_ups) :]
    stand_in = dict(zip(ride.bikes, walk_ups, strict=False))
    leaving = chance.sample(listed, 2)
    operations: list[Data] = [
        {"id": make_id(chance), "kind": "register_bike", "bike": bike, "number": number}
        for bike, number in walk_ups.items()
    ]
    leaves = {"kind": "retire", "contest": ride.contest, "reason": "flat tyre"}
    operations += [{"id": make_id(chance), **leaves, "bike": bike} for bike in leaving]
    # Who has played all turns can leave no more (TABLE-3).
    turns = [
        {**turn, "bike": stand_in.get(turn["bike"], turn["bike"])}
        for turn in ride.make_turns(chance.getrandbits(32))
        if turn["bike"] not in leaving or turn["slot"] != ride.slots[-1]
    ]
    chance.shuffle(turns)
    for turn in turns:
        operations.append(turn)
        if chance.random() < 0.2:
            operations.append({**turn, "id": make_id(chance)})
    return [Kept(chance.randrange(PHONES), operation) for operation in operations[: draw_size(chance)]]


def keep_with_contradictions(ride: FaultRide, chance: Random) -> list[Kept]:
    """Turns of a few bikes that are noted by anybody, in any slot, into any of few boxes."""
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
    return [Kept(chance.randrange(PHONES), operation) for operation in operations]


def read_result(ride: FaultRide) -> tuple[object, ...]:
    """Return all that came of it: the turns that stand, the bikes, and the standings."""
    contest = Contest.objects.get(pk=ride.contest)
    refresh_standings(contest.pk)
    rows = get_live_leaderboard(contest).rows
    return (
        sorted(Turn.objects.values_list("card_id", "slot_id", "line", "points")),
        sorted(Bike.objects.values_list("pk", "number", "suffix")),
        [(row.holder_id, row.rank_label, row.total, row.turn_count, row.status) for row in rows],
    )


def count_places() -> Counter[UUID]:
    """Return how often each operation is there: in the log of a card, or in review, of which the log tells too."""
    entries = Entry.objects.exclude(kind="review").values_list("operation_id", flat=True)
    return Counter(entries) + Counter(ReviewItem.objects.values_list("operation_id", flat=True))


@pytest.mark.timeout(1200)
def test_what_does_not_contradict_itself_comes_to_one_result_in_any_order(ride: FaultRide, figures: Figures) -> None:
    phones, sent = Phones(ride), 0
    for number in range(SETS):
        kept = keep_without_contradictions(ride, Random(number))
        results = []
        for order in range(ORDERS):
            with rollback_at_end():
                receipts = phones.send_all(kept, Random(f"{number}, {order}"))
                outcomes = Counter(receipt["outcome"] for receipt in receipts.values())
                results.append((*read_result(ride), sorted(outcomes.items())))
                assert outcomes.keys() <= {"recorded", "merged"}
                assert set(receipts) == {one.operation["id"] for one in kept}
                assert set(count_places().values()) == {1}
                assert not ReviewItem.objects.exists()
        assert all(result == results[0] for result in results)
        sent = max(sent, len(kept))
    figures.add(
        f"8 · what does not contradict itself in any order, on {connection.vendor}",
        f"up to {sent} operations in {SETS * ORDERS:,} shuffled orders with copies, {SETS} sets: one result for each",
    )


@pytest.mark.timeout(1200)
def test_what_contradicts_itself_is_there_once_in_any_order(ride: FaultRide, figures: Figures) -> None:
    phones, sent, waiting = Phones(ride), 0, 0
    for number in range(SETS):
        kept = keep_with_contradictions(ride, Random(number))
        for order in range(ORDERS):
            with rollback_at_end():
                receipts = phones.send_all(kept, Random(f"{number}, {order}"))
                places = count_places()
                for one in kept:
                    name = UUID(one.operation["id"])
                    receipt = receipts[str(name)]
                    assert receipt["outcome"] in ("recorded", "merged", "conflict", "refused")
                    assert places[name] == 1
                    assert bool(receipt["review"]) == (receipt["outcome"] in ("conflict", "refused"))
                bodies = dict(Operation.objects.values_list("pk", "body"))
                assert [bodies[UUID(one.operation["id"])]["actions"] for one in kept] == [
                    one.operation["actions"] for one in kept
                ]
                waiting += ReviewItem.objects.count()
                read_result(ride)
        sent = max(sent, len(kept))
    assert waiting
    figures.add(
        f"8 · what contradicts itself in any order, on {connection.vendor}",
        f"up to {sent} operations in {SETS * ORDERS:,} shuffled orders with copies: each operation there "
        f"once, in the log or in review ({waiting:,} waited there)",
    )
