"""A batch returns the same results and leaves the same log as recording one by one, even if two arrive at once."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem, StaleCard
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult, record_batch
from scorekeeper.ledger.services.recording import NotAllowed, Submission, UnknownTarget
from scorekeeper.ledger.services.unit_of_work import UnitOfWork
from scorekeeper.scorecards.bike_card import BikeCard, fold_chain, load_snapshot
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Seat, Turn
from scorekeeper.scorecards.services.retirement import prepare_retirement
from scorekeeper.scorecards.services.turns import TurnInput, prepare_turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn, make_paper_turn
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once, check_chains

pytestmark = pytest.mark.database

ROLLS = [([1, 2, 3, 4, 6], "chance"), ([5, 5, 1, 2, 3], "fives"), ([6, 1, 2, 3, 4], "sixes"), ([6] * 5, "yahtzee")]


def draw_queue(ride: Ride, crew: list[Actor], random: Random, length: int) -> list[Submission]:
    """A queue with everything a phone may send: duplicates, conflicts, bikes of other groups and unknown bikes."""
    queue: list[Submission] = []
    for _ in range(length):
        by, bike = random.choice(crew), random.choice([ride.bikes[n].pk for n in (1, 2, 3, 4, 5)])
        operation = UUID(int=random.getrandbits(128), version=4)
        chance = random.random()
        if chance < 0.1 and queue:
            queue.append(random.choice(queue))
        elif chance < 0.15:
            queue.append(prepare_retirement(by, operation, ride.contest.pk, bike, "flat tyre"))
        elif chance < 0.2:
            stranger = UUID(int=random.getrandbits(128), version=4)
            queue.append(prepare_turn(by, operation, TurnInput(ride.contest.pk, stranger, ride.slots[0].pk, [])))
        else:
            dice, box = random.choice(ROLLS)
            slot, reason = random.choice(ride.slots).pk, random.choice(["", "late"])
            turn_input = TurnInput(
                ride.contest.pk, bike, slot, make_final_turn(dice, box), None, random.random() < 0.3, reason
            )
            if chance < 0.25 and queue:
                operation = random.choice(queue).operation_id  # under an id that is already used
            queue.append(prepare_turn(by, operation, turn_input))
    return queue


def list_comparable_results(results: list[BatchResult]) -> list[Any]:
    """The comparable parts of results: hashes depend on the time, and the review chain on the order of judging."""
    return [
        (
            result.outcome,
            [entry["seq"] for entry in result.entries if result.is_applied],
            result.problems,
            result.review_id is None,
        )
        if isinstance(result, Receipt)
        else type(result)
        for result in results
    ]


def list_rows() -> Any:
    """The rows in every table that recording writes."""
    columns = ("chain", "seq", "kind", "slot", "operation")
    entries = Entry.objects.exclude(kind="review").order_by("chain", "seq").values_list(*columns)
    in_review = Entry.objects.filter(kind="review").order_by("operation").values_list("chain", "slot", "operation")
    reviews = ReviewItem.objects.order_by("operation").values_list("operation", "reason", "card", "slot", "against")
    turns = Turn.objects.order_by("pk").values_list("pk", "card", "slot", "line", "points", "seq", "how")
    operations = Operation.objects.order_by("pk").values_list("pk", "kind", "digest", "outcome", "reason__text")
    return list(entries), list(in_review), list(reviews), list(turns), list(operations)


@pytest.mark.parametrize("seed", range(4))
def test_a_batch_has_the_same_result_as_recording_one_by_one(ride: Ride, seed: int) -> None:
    random = Random(seed)
    crew = [make_actor(ride.rita), make_actor(ride.tom)]
    before, queue = draw_queue(ride, crew, random, 6), draw_queue(ride, crew, random, 30)

    def run(size: int) -> Any:
        batch_results = [answer for result in before for answer in record_batch([result])]
        for first in range(0, len(queue), size):
            batch_results += record_batch(queue[first : first + size])
        return list_comparable_results(batch_results), list_rows()

    results = []
    for size in (1, 7, len(queue)):
        start = transaction.savepoint()
        results.append(run(size))
        check_chains()
        check_snapshots(ride)
        transaction.savepoint_rollback(start)
    assert results[0] == results[1] == results[2]
    assert {result[0] for result in results[0][0] if isinstance(result, tuple)} >= {"recorded", "conflict", "refused"}


def check_snapshots(ride: Ride) -> None:
    contest = get_contest_rules(ride.contest.pk)
    for chain in Chain.objects.exclude(snapshot=""):
        card = fold_chain(contest, chain, ride.bikes[1])
        assert load_snapshot(contest, chain) == (card.turns, card.fold)


def make_turn(ride: Ride, who: Actor, number: int, slot: int, points: int, operation: UUID | None = None) -> Submission:
    turn_input = TurnInput(
        ride.contest.pk, ride.bikes[number].pk, ride.slots[slot - 1].pk, make_paper_turn("chance", points)
    )
    return prepare_turn(who, operation or uuid4(), turn_input)


def test_an_operation_that_fails_midway_leaves_nothing_behind(ride: Ride) -> None:
    """None of our handlers fails after it has written. If one ever does, the batch goes on without it."""
    rita = make_actor(ride.rita)
    first, last = make_turn(ride, rita, 1, 1, 20), make_turn(ride, rita, 1, 2, 21)
    record_batch([first])
    unit_of_work, chain = UnitOfWork(), Chain.objects.get()

    def handle(context: Any) -> Any:
        last.handle(context)
        raise RuntimeError("midway")

    broken = Submission(uuid4(), "turn", rita, last.body, handle, target=last.target)
    with transaction.atomic():
        with pytest.raises(RuntimeError):
            broken.execute(unit_of_work)
        locked = unit_of_work.chains[chain.pk]
        assert (locked.length, locked.head) == (chain.length, chain.head)
        assert not unit_of_work.pending.entries
        (state,) = unit_of_work.cached_states.values()
        assert isinstance(state, BikeCard)
        assert list(state.turns) == [first.operation_id]


def test_an_operation_that_fails_creates_no_card(ride: Ride) -> None:
    rita = make_actor(ride.rita)
    foreign = make_turn(ride, rita, 5, 1, 20)
    unknown = prepare_turn(
        rita, uuid4(), TurnInput(ride.contest.pk, ride.bikes[2].pk, uuid4(), make_paper_turn("chance", 20))
    )

    results = record_batch([foreign, unknown])
    ride.contest.refresh_from_db()
    assert (list_comparable_results(results), ride.contest.frozen_at) == ([NotAllowed, UnknownTarget], None)
    assert not Chain.objects.exists()

    results = record_batch([foreign, make_turn(ride, rita, 1, 1, 20), unknown, make_turn(ride, rita, 2, 1, 99)])
    ride.contest.refresh_from_db()
    assert [list_comparable_results([result])[0][0] for result in results[1::2]] == ["recorded", "refused"]
    assert ride.contest.frozen_at is not None
    # The refused turn is under review for a card without an entry.
    assert set(Seat.objects.values_list("bike__number", flat=True)) == {1, 2}


@pytest.mark.django_db(transaction=True)
def test_concurrent_batches_over_the_same_cards_do_not_deadlock(ride: Ride) -> None:
    """One goes through the bikes upwards, the other downwards; equal turns merge, and every chain stays intact."""
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)
    record_batch([make_turn(ride, rita, number, 1, 20) for number in (1, 2, 3, 4)])
    slots = [(number, slot) for slot in (2, 3, 4, 5) for number in (1, 2, 3, 4)]
    turns = {
        slot_key: make_final_turn([6] * 5, "yahtzee") if slot_key[1] < 4 else make_paper_turn("sixes", 6 * slot_key[1])
        for slot_key in slots
    }

    def make(who: Actor, order: list[tuple[int, int]]) -> list[Submission]:
        return [
            prepare_turn(
                who,
                uuid4(),
                TurnInput(ride.contest.pk, ride.bikes[number].pk, ride.slots[slot - 1].pk, turns[number, slot]),
            )
            for number, slot in order
            if slot != 5
        ]

    queues = [make(rita, slots), make(tom, slots[::-1]), make(rita, slots[::2]), make(tom, slots[1::2][::-1])]
    results = at_once([partial(record_batch, queue) for queue in queues])

    outcomes = Counter(result.outcome for batch in results for result in batch)
    assert outcomes["recorded"] == 12
    assert set(outcomes) <= {"recorded", "merged"}
    assert Turn.objects.count() == 16
    check_chains()
    check_snapshots(ride)


@pytest.mark.django_db(transaction=True)
def test_one_queue_sent_four_times_at_once_counts_once(ride: Ride) -> None:
    rita = make_actor(ride.rita)
    queue = [make_turn(ride, rita, number, slot, 20) for number in (1, 2, 3, 4) for slot in (1, 2)]

    results = at_once([partial(record_batch, queue)] * 4)

    assert all(batch == results[0] for batch in results)
    assert Counter(result.outcome for result in results[0]) == {"recorded": 4, "refused": 4}
    assert Operation.objects.count() == 8
    assert ReviewItem.objects.count() == 4
    check_chains()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_batches_with_crossed_ids_are_recorded_after_a_deadlock(ride: Ride) -> None:
    """One person uses two ids twice with different bodies, in crossed order. The database resolves the deadlock, and
    the operations are recorded one by one."""
    rita = make_actor(ride.rita)
    record_batch([make_turn(ride, rita, number, 1, 20) for number in (1, 2, 3, 4)])
    first, second = uuid4(), uuid4()
    queues = [
        [make_turn(ride, rita, 1, 2, 21, first), make_turn(ride, rita, 2, 2, 21, second)],
        [make_turn(ride, rita, 3, 2, 21, second), make_turn(ride, rita, 4, 2, 21, first)],
    ]

    results = at_once([partial(record_batch, queue) for queue in queues])

    is_recorded = [isinstance(result, Receipt) for batch in results for result in batch]
    assert is_recorded.count(True) == 2
    assert Operation.objects.filter(pk__in=[first, second]).count() == 2
    assert StaleCard.objects.exists()
    check_chains()
    assert connection.vendor == "postgresql"
