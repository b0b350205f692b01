"""Further sheets in the queues of two phones, in every order, while the organiser changes the bike or the contest.

Terms: a *queue* is what a phone sends, in its own order. An *order* is one of the ways in which two queues can arrive.
A phone sends an operation again after "not yet", and every operation arrives more than once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scorekeeper.bikes.models import Bike, FurtherSheet, derive_sheet_id
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes, renumber_bike
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.faults.scale import scaled
from tests.scorekeeper.api.conftest import post, rollback_at_end
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.sheet_rides import make_dice_run, throw

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.slow, pytest.mark.timeout(3600)]

Data = dict[str, Any]
T = TypeVar("T")
Sent = tuple[int, Data]  # by which of the phones, and the operation

STORED = {"recorded", "merged", "conflict", "refused", "late", "review"}  # the others leave no trace
FULL = scaled(1, 0)
SAMPLE = 6  # orders of a short run


class Queues:
    """Operations about the second sheet of bike 2, under ids by name, so that every run has the same."""

    def __init__(self, ride: Ride) -> None:
        self._ride = ride
        self.sheet_id = derive_sheet_id(ride.bikes[2].pk, ride.contest.pk, 2)

    def sell(self, name: str) -> Data:
        bike, contest = str(self._ride.bikes[2].pk), str(self._ride.contest.pk)
        return {"id": make_id(name), "kind": "sell_sheet", "bike": bike, "contest": contest, "number": 2}

    def withdraw(self, name: str) -> Data:
        return {"id": make_id(name), "kind": "withdraw_sheet", "sheet": str(self.sheet_id)}

    def turn(self, name: str, slot: int, total: int) -> Data:
        slot_id = str(self._ride.slots[slot - 1].pk)
        return {"id": make_id(name), "kind": "turn", **self._card, "slot": slot_id, "actions": throw(total)}

    def change(self, name: str, turn: str, seq: int, total: int | None) -> Data:
        """Correct a turn that the card's entry `seq` has recorded, or void it without a total."""
        target: Data = {"turn": make_id(turn), "seq": seq}
        if total is not None:
            target["actions"] = throw(total)
        return {"id": make_id(name), "kind": "amend", **self._card, "targets": [target], "reason": "misread"}

    @property
    def _card(self) -> Data:
        return {"contest": str(self._ride.contest.pk), "bike": str(self.sheet_id)}


def make_id(name: str) -> str:
    return str(UUID(int=Random(name).getrandbits(128), version=4))


def list_orders(first: Sequence[Data], second: Sequence[Data]) -> Iterator[list[Sent]]:
    """Yield each order in which two queues can arrive."""
    for places in combinations(range(len(first) + len(second)), len(first)):
        queues = (iter(first), iter(second))
        phones = [0 if place in places else 1 for place in range(len(first) + len(second))]
        yield [(phone, next(queues[phone])) for phone in phones]


def choose(several: Sequence[T]) -> Sequence[T]:
    """Return all of them in a full run, else a few, the same in each run."""
    return several if FULL or len(several) <= SAMPLE else Random(len(several)).sample(list(several), SAMPLE)


def send(phones: Sequence[Client], sent: Sent) -> Data:
    phone, operation = sent
    answer = post(phones[phone], {"operations": [operation]})
    assert answer.status_code == 200, answer.content
    receipt: Data = answer.json()["receipts"][0]
    return receipt


def deliver(phones: Sequence[Client], order: Sequence[Sent]) -> dict[str, Data]:
    """Send operations in this order, each twice; return the receipts by operation."""
    receipts: dict[str, Data] = {}
    for sent in order:
        receipts[sent[1]["id"]] = send(phones, sent)
        assert_same_receipt(phones, sent, receipts)
    return receipts


def send_all_again(phones: Sequence[Client], order: Sequence[Sent], receipts: dict[str, Data]) -> None:
    """Send everything again, as phones that have had no answer; what the server did not have yet may arrive now."""
    for sent in order:
        if receipts[sent[1]["id"]]["outcome"] == "not_yet":
            receipts[sent[1]["id"]] = send(phones, sent)
    for sent in order:
        assert_same_receipt(phones, sent, receipts)


def assert_same_receipt(phones: Sequence[Client], sent: Sent, receipts: dict[str, Data]) -> None:
    """Send an operation once more. One that left no trace may be recorded now; all others get their receipt."""
    known = receipts[sent[1]["id"]]
    receipts[sent[1]["id"]] = send(phones, sent)
    if known["outcome"] in STORED:
        assert receipts[sent[1]["id"]] == known, "a duplicate got another receipt"


def assert_nothing_lost(ride: Ride, receipts: Mapping[str, Data]) -> None:
    """Assert that the log or the review has each acknowledged operation once, and that all follows from the log."""
    places = Counter(Entry.objects.exclude(kind="review").values_list("operation_id", flat=True))
    places.update(ReviewItem.objects.values_list("operation_id", flat=True))
    stored = set(Operation.objects.values_list("pk", flat=True))
    for name, receipt in receipts.items():
        outcome = receipt["outcome"]
        assert (UUID(name) in stored) == (outcome in STORED)
        if outcome in STORED - {"merged"}:
            assert places[UUID(name)] == 1, outcome
        assert bool(receipt["review"]) == (outcome in STORED - {"recorded", "merged"}), "it waits for the organiser"
    assert [str(damage) for damage in list_damage(ride.event)] == []


def read_totals(ride: Ride) -> dict[str, tuple[str, int]]:
    """Return place and total of each sheet that has a turn or is a further one, by its id."""
    refresh_standings(ride.contest.pk)
    rows = get_live_leaderboard(ride.contest).rows
    further = set(FurtherSheet.objects.values_list("pk", flat=True))
    return {str(row.entrant_id): (row.rank_label, row.total) for row in rows if row.total or row.entrant_id in further}


@pytest.fixture
def phones(ride: Ride, crew_client: CrewClient) -> list[Client]:
    """Rita's and Tom's phones, in a ride whose bikes can have three sheets."""
    make_dice_run(ride)
    return [crew_client(ride.rita), crew_client(ride.tom)]


@pytest.fixture
def queues(ride: Ride, phones: list[Client]) -> Queues:
    return Queues(ride)


# Without the organiser


def test_a_sheet_that_two_phones_sell_and_roll_for_has_one_result(
    ride: Ride, phones: list[Client], queues: Queues
) -> None:
    """One of them sells it twice, and both have the turn at the second stop."""
    first = [queues.sell("a sale"), queues.turn("a 1", 1, 20), queues.turn("a 2", 2, 12), queues.sell("a sale again")]
    second = [queues.sell("b sale"), queues.turn("b 3", 3, 22), queues.turn("b 2", 2, 12)]
    for order in choose(list(list_orders(first, second))):
        with rollback_at_end():
            receipts = deliver(phones, order)
            outcomes = Counter(receipt["outcome"] for receipt in receipts.values())
            assert outcomes == {"recorded": 4, "merged": 3}
            assert_nothing_lost(ride, receipts)
            assert read_totals(ride) == {str(queues.sheet_id): ("1", 54)}


def test_a_sale_that_both_phones_undo_is_undone_in_every_order(
    ride: Ride, phones: list[Client], queues: Queues
) -> None:
    for order in list_orders(
        [queues.sell("a sale"), queues.withdraw("a undo")], [queues.sell("b sale"), queues.withdraw("b undo")]
    ):
        with rollback_at_end():
            receipts = deliver(phones, order)
            assert {receipt["outcome"] for receipt in receipts.values()} <= {"recorded", "merged"}
            assert_nothing_lost(ride, receipts)
            assert read_totals(ride) == {}


def test_a_sale_that_one_of_two_phones_undoes_stays_in_every_order(
    ride: Ride, phones: list[Client], queues: Queues
) -> None:
    """Whether it was undone before or after the other phone had sold it too, and although it was undone twice."""
    first = [queues.sell("a sale"), queues.withdraw("a undo"), queues.withdraw("a undo again")]
    for order in list_orders(first, [queues.sell("b sale"), queues.turn("b 2", 2, 22)]):
        with rollback_at_end():
            receipts = deliver(phones, order)
            assert {receipt["outcome"] for receipt in receipts.values()} <= {"recorded", "merged"}
            assert_nothing_lost(ride, receipts)
            assert read_totals(ride) == {str(queues.sheet_id): ("1", 22)}


def test_a_phone_that_takes_its_turn_and_its_sale_back_leaves_the_other_phones_turn(
    ride: Ride, phones: list[Client], queues: Queues
) -> None:
    """Its undo is recorded in every order: entries of another phone that came first did not change its turn."""
    first = [queues.sell("a sale"), queues.turn("a 1", 1, 20), queues.change("a void", "a 1", 1, None)]
    second = [queues.sell("b sale"), queues.turn("b 2", 2, 22)]
    for order in list_orders([*first, queues.withdraw("a undo")], second):
        with rollback_at_end():
            receipts = deliver(phones, order)
            assert receipts[make_id("a void")]["outcome"] == "recorded"
            assert receipts[make_id("a undo")]["outcome"] == "merged", "something was recorded on the sheet"
            assert_nothing_lost(ride, receipts)
            assert read_totals(ride) == {str(queues.sheet_id): ("1", 22)}


# The organiser meanwhile


def merge_away(ride: Ride, desk: Actor) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[3].pk, "the same bike")


def merge_here(ride: Ride, desk: Actor) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[3].pk, ride.bikes[2].pk, "the same bike")


def renumber(ride: Ride, desk: Actor) -> None:
    renumber_bike(desk, uuid4(), ride.bikes[2].pk, 17, "misread")


def mark(ride: Ride, desk: Actor) -> None:
    mark_did_not_start(desk, uuid4(), ride.bikes[2].pk, value=True)


def close(ride: Ride, desk: Actor) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "The ride is over.")


Change = Callable[[Ride, Actor], None]


@pytest.mark.parametrize("change", [merge_away, merge_here, renumber, mark])
def test_what_the_organiser_does_with_the_bike_changes_no_figure(
    ride: Ride, phones: list[Client], queues: Queues, desk: Actor, change: Change
) -> None:
    """At any moment between the entries of two phones that have not heard of it."""
    first = [queues.sell("a sale"), queues.turn("a 1", 1, 20), queues.withdraw("a undo")]
    second = [queues.sell("b sale"), queues.turn("b 2", 2, 22)]
    orders = list(list_orders(first, second))
    for order, moment in choose(list(product(orders, range(len(first) + len(second) + 1)))):
        with rollback_at_end():
            receipts = deliver(phones, order[:moment])
            change(ride, desk)
            receipts |= deliver(phones, order[moment:])
            send_all_again(phones, order, receipts)
            assert {receipt["outcome"] for receipt in receipts.values()} <= {"recorded", "merged"}
            assert_nothing_lost(ride, receipts)
            assert read_totals(ride) == {str(queues.sheet_id): ("1", 42)}
            if change is merge_away:
                assert Bike.entrants.get(pk=queues.sheet_id).label == "3/2"
                unmerge_bikes(desk, uuid4(), ride.bikes[2].pk, "two bikes after all")
                assert Bike.entrants.get(pk=queues.sheet_id).label == "2/2"
                assert_nothing_lost(ride, receipts)
                assert read_totals(ride) == {str(queues.sheet_id): ("1", 42)}


def test_what_arrives_after_closing_waits_for_the_organiser_or_on_its_phone(
    ride: Ride, phones: list[Client], queues: Queues, desk: Actor
) -> None:
    """Late turns on a sheet sold in time go to review. A later sale is refused, and its turns stay on the phone."""
    first = [queues.sell("a sale"), queues.turn("a 1", 1, 20), queues.change("a 1 again", "a 1", 1, 25)]
    second = [queues.sell("b sale"), queues.turn("b 2", 2, 22)]
    orders = list(list_orders(first, second))
    for order, moment in choose(list(product(orders, range(len(first) + len(second) + 1)))):
        with rollback_at_end():
            receipts = deliver(phones, order[:moment])
            close(ride, desk)
            closed = read_totals(ride)
            late = deliver(phones, order[moment:])
            send_all_again(phones, order, receipts | late)
            outcomes = {receipt["outcome"] for receipt in late.values()}
            in_time = {operation["kind"] for _phone, operation in order[:moment]}
            assert outcomes <= ({"merged", "late", "conflict"} if "sell_sheet" in in_time else {"no_sheet", "not_yet"})
            assert_nothing_lost(ride, receipts | late)
            assert read_totals(ride) == closed
            assert Turn.objects.exists() == ("turn" in in_time)


# Without the queues' own order, as when others deliver parts of them


def test_in_any_order_at_all_nothing_is_lost_or_doubled(
    ride: Ride, phones: list[Client], queues: Queues, desk: Actor
) -> None:
    operations: list[Sent] = [
        (0, queues.sell("a sale")),
        (0, queues.turn("a 1", 1, 20)),
        (0, queues.change("a 1 again", "a 1", 1, 25)),
        (0, queues.withdraw("a undo")),
        (1, queues.sell("b sale")),
        (1, queues.turn("b 1", 1, 21)),
        (1, queues.withdraw("b undo")),
    ]
    for number in range(scaled(1_000, SAMPLE)):
        chance = Random(number)
        order = chance.sample(operations, len(operations))
        changes = chance.sample([merge_away, renumber, mark, close], chance.randint(0, 2))
        with rollback_at_end():
            receipts: dict[str, Data] = {}
            for sent in order:
                if changes and chance.random() < 0.3:
                    changes.pop()(ride, desk)
                receipts |= deliver(phones, [sent])
            for _ in order:  # what waits for something may wait for something that waits
                send_all_again(phones, order, receipts)
            assert_nothing_lost(ride, receipts)
            read_totals(ride)
