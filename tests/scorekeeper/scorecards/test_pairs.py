"""Two phones record the same turn at the same moment, many times: equal dice merge, different dice go to review."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from uuid import UUID, uuid4

import pytest
from django.db import connection

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.raw_log import fold_bodies, read_chains
from tests.scorekeeper.scorecards.conftest import Actions, make_actor, make_final_turn
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.security, pytest.mark.database]

PAIRS = scaled(500, 10)
BOXES = ("chance", "fives", "sixes", "fours", "threes")  # boxes that accept any dice, one for each slot


def roll_twice(chance: Random, box: str, *, is_equal: bool) -> tuple[Actions, Actions]:
    """Return a turn as two people enter it: with the dice in another order, or with one die misread."""
    dice = [chance.randint(1, 6) for _ in range(5)]
    again = chance.sample(dice, 5)
    if not is_equal:
        again[0] = again[0] % 6 + 1
    return make_final_turn(dice, box), make_final_turn(again, box)


@pytest.mark.timeout(1200)
def test_two_phones_recording_one_turn_merge_or_conflict_and_never_overwrite(ride: Ride, figures: Figures) -> None:
    chance, phones = Random(10), (make_actor(ride.rita), make_actor(ride.tom))
    bikes = [Bike(event=ride.event, number=number, group=ride.group_one) for number in range(101, 101 + PAIRS // 5)]
    Bike.objects.bulk_create(bikes)
    current: dict[tuple[UUID, str | None], object] = {}
    outcomes: Counter[tuple[str, str]] = Counter()
    for bike in bikes:
        for slot, box in zip(ride.slots, BOXES, strict=True):
            is_equal = chance.random() < 0.5
            inputs = [
                (uuid4(), TurnInput(ride.contest.pk, bike.pk, slot.pk, turn))
                for turn in roll_twice(chance, box, is_equal=is_equal)
            ]
            first, second = sorted(
                at_once(
                    [partial(record_turn, who, *turn_input) for who, turn_input in zip(phones, inputs, strict=True)]
                ),
                key=lambda receipt: receipt.outcome != "recorded",
            )
            outcomes["equal" if is_equal else "different", second.outcome] += 1
            assert first.outcome == "recorded"
            sent = {operation: list(turn_input.actions) for operation, turn_input in inputs}
            current[derive_card_id(ride.contest.pk, bike.pk), str(slot.pk)] = sent[first.operation_id][0]["dice"]
            assert Operation.objects.get(pk=second.operation_id).body["actions"] == sent[second.operation_id]
            assert ReviewItem.objects.filter(operation=second.operation_id).exists() is not is_equal
    assert outcomes.keys() == {("equal", "merged"), ("different", "conflict")}
    chains = read_chains()
    turns = [(card, slot, actions) for card, _ in current for slot, actions in fold_bodies(chains[card]).values()]
    assert {(card, slot): actions[0]["dice"] for card, slot, actions in turns} == current
    figures.add(
        f"10 · two phones record one turn at the same moment, on {connection.vendor}",
        f"{PAIRS:,} pairs: {outcomes['equal', 'merged']} equal, all merged; {outcomes['different', 'conflict']} "
        "different, all sent to review; 0 overwritten",
    )
