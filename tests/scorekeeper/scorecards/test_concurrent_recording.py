"""Recording from several threads at once, with real commits and locks, on the database of the test run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run each call in its own thread, all released together, each with its own connection."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def make_record_call(
    ride: Ride, who: Actor, number: int, slot: int, points: int, operation: UUID
) -> Callable[[], Receipt]:
    turn = TurnInput(ride.contest.pk, ride.bikes[number].pk, ride.slots[slot - 1].pk, make_paper_turn("chance", points))
    return lambda: record_turn(who, operation, turn)


def check_chains() -> None:
    """Every chain is as long as it says, and each entry is linked to the one before it."""
    for chain in Chain.objects.all():
        entries = list(Entry.objects.filter(chain=chain).order_by("seq"))
        assert [entry.seq for entry in entries] == list(range(1, chain.length + 1))
        heads = ["", *(entry.hash for entry in entries)]
        assert [json.loads(entry.body)["prev"] for entry in entries] == heads[:-1]
        assert all(sha256(entry.body) == entry.hash for entry in entries)
        assert chain.head == heads[-1]


def test_one_operation_sent_eight_times_at_once_counts_once(ride: Ride) -> None:
    rita, operation = make_actor(ride.rita), uuid4()

    receipts = at_once([make_record_call(ride, rita, 1, 1, 20, operation)] * 8)

    assert all(receipt == receipts[0] for receipt in receipts)
    assert receipts[0].outcome == "recorded"
    assert Entry.objects.count() == 1
    check_chains()


def test_equal_turns_from_several_phones_at_once_are_one_turn(ride: Ride) -> None:
    phones = [make_actor(member) for member in (ride.rita, ride.tom, ride.sue)]

    receipts = at_once([make_record_call(ride, phone, 1, 1, 20, uuid4()) for phone in phones])

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "merged": 2}
    assert Turn.objects.count() == 1


def test_of_different_turns_at_once_one_counts_and_the_others_go_to_review(ride: Ride) -> None:
    rita, tom, sue = (make_actor(member) for member in (ride.rita, ride.tom, ride.sue))

    receipts = at_once(
        [make_record_call(ride, who, 1, 1, points, uuid4()) for who, points in ((rita, 20), (tom, 21), (sue, 22))]
    )

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "conflict": 2}
    assert ReviewItem.objects.count() == 2
    assert Operation.objects.count() == 3


def test_many_bikes_at_once_lose_nothing(ride: Ride) -> None:
    rita, gus = make_actor(ride.rita), make_actor(ride.gus)
    calls = [
        make_record_call(ride, rita if number <= 4 else gus, number, 1, 10 + number, uuid4()) for number in range(1, 9)
    ]

    receipts = at_once(calls)

    assert all(receipt.outcome == "recorded" for receipt in receipts)
    assert sorted(Turn.objects.values_list("points", flat=True)) == list(range(11, 19))
    check_chains()


def test_all_turns_of_one_bike_at_once_are_in_one_chain(ride: Ride) -> None:
    rita = make_actor(ride.rita)
    boxes = ("chance", "fives", "sixes", "fours", "threes")

    def make_call(slot: int, box: str) -> Callable[[], Receipt]:
        points = 10 if box == "fives" else 12
        turn = TurnInput(ride.contest.pk, ride.bikes[1].pk, ride.slots[slot].pk, make_paper_turn(box, points))
        return lambda: record_turn(rita, uuid4(), turn)

    receipts = at_once([make_call(slot, box) for slot, box in enumerate(boxes)])

    assert all(receipt.outcome == "recorded" for receipt in receipts)
    assert Chain.objects.get().length == 5
    check_chains()


def test_a_walk_up_and_the_desk_that_take_one_number_at_once_both_succeed(ride: Ride) -> None:
    """The walk-up's number was free when it was judged, and taken when it was written."""
    rita = make_actor(ride.rita)
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk, rider="Ivy")
    taken = Barrier(2)

    def desk() -> None:
        with transaction.atomic():
            Bike.objects.create(event=ride.event, number=57)
            taken.wait()

    def phone() -> Receipt:
        taken.wait()
        return register_bike(rita, uuid4(), walk_up)

    _, receipt = at_once([desk, phone])

    assert receipt.outcome == "recorded"
    assert Bike.objects.get(pk=walk_up.id).label == "57 (2)"
