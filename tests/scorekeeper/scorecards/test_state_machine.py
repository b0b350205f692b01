"""Random walks over the services. After each step, an independent fold of the raw log, without our code, checks it.

A *walk* is a seeded sequence of operations: recording, amending, moving, retiring, merging, sealing and deciding, some
of them sent twice. After every step the checks read only the entries' bodies and compute the turns of every card and
the operations that must exist. `Turn`, the review list and the receipts are compared with that.

By default there are a few short walks; TAILGUNNER_WALKS=500 runs as many, and TAILGUNNER_STEPS sets their length.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from random import Random
from typing import Any
from uuid import UUID

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import MalformedOperation, NotAllowed, UnknownTarget
from scorekeeper.scorecards.bike_card import fold_chain, load_snapshot
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Seat, Turn
from scorekeeper.scorecards.services.bike_operations import CannotMerge, merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import CannotDecide, decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.raw_log import Chains, Turns, fold_bodies, read_chains
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn

pytestmark = pytest.mark.database

WALKS, STEPS = int(os.environ.get("TAILGUNNER_WALKS", scaled(6, 3))), int(os.environ.get("TAILGUNNER_STEPS", "40"))
YAHTZEES = (50, 50, 100)  # ROCK-14
ROLLS = [([1, 2, 3, 4, 6], "chance"), ([5, 5, 1, 2, 3], "fives"), ([6, 1, 2, 3, 4], "sixes"), ([6] * 5, "yahtzee")]
REFUSALS = (CannotMerge, CannotDecide, MalformedOperation, UnknownTarget, NotAllowed)

Standing = list[tuple[int, str, int]]


# The checks: what the raw bodies say.


def score(turns: Turns, ordinals: dict[str, int]) -> Standing:
    """Slot, box and points of every turn, in the order of the slots (ROCK-14, ROCK-16)."""
    standing: Standing = []
    for slot, actions in sorted((ordinals[slot], actions) for slot, actions in turns.values() if slot):
        box, dice = actions[-1]["box"], actions[0]["dice"]
        used = [line for _, line, _ in standing].count(box)
        assert used == 0 or (box == "yahtzee" and used < len(YAHTZEES)), "a box was used twice"
        points = {"chance": sum(dice), "fives": 5 * dice.count(5), "sixes": 6 * dice.count(6)}
        standing.append((slot, box, YAHTZEES[used] if box == "yahtzee" else points[box]))
    assert len({slot for slot, _, _ in standing}) == len(standing), "a slot holds two turns"
    return standing


class Walk:
    """A random walk, and the receipts of its operations."""

    def __init__(self, ride: Ride, desk: Actor, seed: int):
        self.ride, self.desk, self.random = ride, desk, Random(seed)
        self.crew = [make_actor(ride.rita), make_actor(ride.tom)]
        self.bikes = [ride.bikes[number].pk for number in (1, 2, 3, 4)]
        self.ordinals = {str(slot.pk): slot.ordinal for slot in ride.slots}
        self.acknowledged: dict[UUID, Receipt] = {}
        self.snapshots = 0
        self.steps: list[Callable[[], Callable[[UUID], Receipt] | None]] = [
            *[self.record] * 6,
            *[self.amend] * 3,
            self.move,
            self.move,
            self.settle,
            self.settle,
            self.retire,
            self.merge,
            self.seal,
        ]

    def step(self) -> None:
        """Send an operation, sometimes twice, then check everything."""
        send = self.random.choice(self.steps)()
        if send is None:
            return
        operation = UUID(int=self.random.getrandbits(128), version=4)
        try:
            receipt = send(operation)
        except REFUSALS:
            assert not Operation.objects.filter(pk=operation).exists(), "refused, but it left a trace"
        else:
            self.acknowledged[operation] = receipt
            if self.random.random() < 0.3:
                assert send(operation) == receipt
        self.judge()

    def judge(self) -> None:
        """Nothing acknowledged is lost, nothing counts twice, and the projection matches the log."""
        chains = read_chains()
        written = Counter(UUID(body["op"]) for bodies in chains.values() for body in bodies)
        recorded_ids = Counter(
            UUID(body["op"]) for bodies in chains.values() for body in bodies if body["kind"] == "record"
        )
        data = [body["data"] for bodies in chains.values() for body in bodies]
        settled = {each["settles"] for each in data if "settles" in each}
        waiting = {item.operation_id: item for item in ReviewItem.objects.all()}
        operations = dict(Operation.objects.values_list("pk", "receipt"))
        assert operations.keys() == self.acknowledged.keys()
        assert all(count == 1 for count in recorded_ids.values())
        for pk, receipt in self.acknowledged.items():
            assert Receipt.from_data(operations[pk]) == receipt
            assert written[pk] == len(receipt.entries)
            if receipt.outcome == "merged":
                assert bool(written[pk]) == bool(receipt.data)  # otherwise there was nothing to do
            else:
                assert written[pk]
                assert (pk in waiting) == (not receipt.is_applied)
            for entry in receipt.entries:
                body = chains[UUID(entry["chain"])][entry["seq"] - 1]
                assert UUID(body["op"]) == pk
        assert {str(pk) for pk, item in waiting.items() if item.settled_at} == settled
        self.judge_repeats(chains, waiting.keys())
        self.judge_cards(chains)
        self.judge_snapshots()

    def judge_repeats(self, chains: Mapping[UUID, Sequence[Mapping[str, Any]]], waiting: Set[UUID]) -> None:
        """The turn that a repeat is equal to counts in its slot, or the repeat is under review."""
        repeats = [body for bodies in chains.values() for body in bodies if body["kind"] == "repeat" and body["slot"]]
        last = {UUID(body["data"]["by"]): body for body in sorted(repeats, key=lambda body: body["at"])}
        places = {(str(pk), str(slot)) for pk, slot in Turn.objects.values_list("pk", "slot")}
        for operation, body in last.items():
            assert (body["data"]["turn"], body["slot"]) in places or operation in waiting

    def judge_snapshots(self) -> None:
        """The snapshot of a log is what the log folds to."""
        contest = get_contest_rules(self.ride.contest.pk)
        for seat in Seat.objects.select_related("card__chain", "bike"):
            assert seat.bike is not None
            read = load_snapshot(contest, seat.card.chain)
            if read is not None:
                card = fold_chain(contest, seat.card.chain, seat.bike)
                assert read == (card.turns, card.fold)
                assert list(read[0]) == list(card.turns)
                self.snapshots += 1

    def judge_cards(self, chains: Chains) -> None:
        rows: dict[UUID, Standing] = {}
        for card, ordinal, line, points in Turn.objects.values_list("card", "slot__ordinal", "line", "points"):
            rows.setdefault(card, []).append((ordinal, str(line), points))
        for card, alias in Seat.objects.values_list("card", "bike__merged_into"):
            turns = fold_bodies(chains[card])
            assert sorted(rows.pop(card, [])) == score(turns, self.ordinals)
            assert alias is None or not [slot for slot, _ in turns.values() if slot], "a turn was left on an alias"
        assert not rows

    # The steps. Each one chooses what to do and returns a function that sends it, so that it can be sent again.

    def record(self) -> Callable[[UUID], Receipt]:
        bike, slot = self.random.choice(self.bikes), self.random.choice(self.ride.slots)
        dice, box = self.random.choice(ROLLS)
        by = self.random.choice([*self.crew, self.desk])
        reason = self.random.choice(["", " ", "late"])
        turn_input = TurnInput(self.ride.contest.pk, bike, slot.pk, make_final_turn(dice, box), reason=reason)
        return lambda operation: record_turn(by, operation, turn_input)

    def pick(self) -> tuple[UUID, Turn, int] | None:
        """A current turn, its bike, and its sequence number, or sometimes an older one."""
        turns = list(Turn.objects.order_by("card__seats__bike__number", "slot__ordinal").select_related("card"))
        if not turns:
            return None
        turn = self.random.choice(turns)
        (seat,) = turn.card.seats.all()
        assert seat.bike_id is not None
        return seat.bike_id, turn, turn.seq - (self.random.random() < 0.1)

    def amend(self) -> Callable[[UUID], Receipt] | None:
        picked = self.pick()
        if picked is None:
            return None
        bike, turn, seq = picked
        dice, box = self.random.choice(ROLLS)
        actions = self.random.choice([None, make_final_turn(dice, box)])
        slot = self.random.choice([None, self.random.choice(self.ride.slots).pk])
        targets = [CorrectionTarget(turn.pk, seq, actions, slot)]
        others = [row for row in turn.card.turns.order_by("slot__ordinal") if row.pk != targets[0].turn_id]
        if others and self.random.random() < 0.5:
            dice, box = self.random.choice(ROLLS)
            targets.append(CorrectionTarget(others[0].pk, others[0].seq, make_final_turn(dice, box), turn.slot_id))
        by = self.random.choice([*self.crew, self.desk])
        return lambda operation: amend_turns(by, operation, self.ride.contest.pk, bike, targets, "read wrongly")

    def move(self) -> Callable[[UUID], Receipt] | None:
        picked = self.pick()
        if picked is None:
            return None
        bike, turn, seq = picked
        to = self.random.choice(self.bikes)
        by = self.random.choice([*self.crew, self.desk])
        return lambda operation: move_turn(by, operation, self.ride.contest.pk, bike, to, turn.pk, seq, "wrong bike")

    def retire(self) -> Callable[[UUID], Receipt]:
        bike, by = self.random.choice(self.bikes), self.random.choice(self.crew)
        return lambda operation: retire_bike(by, operation, self.ride.contest.pk, bike, "flat tyre")

    def merge(self) -> Callable[[UUID], Receipt]:
        bike, into = self.random.choices(self.bikes, k=2)
        return lambda operation: merge_bikes(self.desk, operation, bike, into, "the same machine")

    def settle(self) -> Callable[[UUID], Receipt] | None:
        items = list(ReviewItem.objects.order_by("opened_at", "pk"))
        if not items:
            return None
        item, slot = self.random.choice(items), self.random.choice(self.ride.slots)
        decision = self.random.choice(["keep", "apply", "other_slot"])
        return lambda operation: decide_review(self.desk, operation, item.pk, decision, "asked them", slot.pk)

    def seal(self) -> None:
        """Seal or unseal the cards, as closing and reopening the contest does."""
        Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=self.random.random() < 0.3)


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_random_walk_loses_nothing_and_counts_nothing_twice(ride: Ride, desk: Actor, seed: int) -> None:
    walk = Walk(ride, desk, seed)
    for _ in range(STEPS):
        walk.step()
    assert Operation.objects.filter(outcome="recorded").exists()
    assert walk.snapshots
