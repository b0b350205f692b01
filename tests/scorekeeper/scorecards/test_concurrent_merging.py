"""Recording, moving and deciding while bikes are merged: an operation that had to wait sees the result of the merge."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.services.recording import NotAllowed, UnknownTarget
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once, check_chains

pytestmark = pytest.mark.django_db(transaction=True)

Call = Callable[[], Any]


def make_record_call(ride: Ride, who: Actor, bike_id: UUID, slot: int, box: str) -> Call:
    turn = TurnInput(ride.contest.pk, bike_id, ride.slots[slot - 1].pk, make_paper_turn(box, 0))
    return lambda: record_turn(who, uuid4(), turn)


def make_merge_call(desk: Actor, bike: Bike, into: Bike) -> Call:
    return lambda: merge_bikes(desk, uuid4(), bike.pk, into.pk, "the same machine")


def run_in_sequence(rows: QuerySet[Any], calls: list[Call]) -> list[Any]:
    """Lock the rows until every call waits for them, in this order. Then release them and return the calls' results."""

    def run(call: Call) -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        waiting: list[Future[Any]] = []
        with transaction.atomic():
            list(rows.select_for_update())
            for call in calls:
                waiting.append(pool.submit(run, call))
                while count_waiting() < len(waiting):
                    assert not any(future.done() for future in waiting), "it did not have to wait"
        return [future.result() for future in waiting]


def count_waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.postgres
def test_a_turn_that_waited_for_a_merge_goes_to_the_remaining_bike(ride: Ride, add_turn, desk: Actor) -> None:
    """The database reads the locked row again, but the joined bike as it was before, so the locked row has the flag."""
    add_turn(3, 1, make_paper_turn("chance", 20))
    alias, rita = ride.bikes[3], make_actor(ride.rita)
    card = Chain.objects.filter(pk=derive_card_id(ride.contest.pk, alias.pk))

    run_in_sequence(
        card, [make_merge_call(desk, alias, ride.bikes[2]), make_record_call(ride, rita, alias.pk, 2, "fives")]
    )

    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (2, "fives", 0)]
    assert Turn.objects.count() == 2
    check_chains()


@pytest.mark.postgres
@pytest.mark.parametrize("merging_comes_first", [True, False])
def test_a_card_created_while_its_bike_is_merged_is_not_left_behind(
    ride: Ride, add_turn, desk: Actor, merging_comes_first: bool
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    alias, contest = ride.bikes[3], Contest.objects.filter(pk=ride.contest.pk)
    calls = [
        make_merge_call(desk, alias, ride.bikes[2]),
        make_record_call(ride, make_actor(ride.rita), alias.pk, 2, "fives"),
    ]

    run_in_sequence(contest, calls if merging_comes_first else calls[::-1])

    assert list_bike_turns(ride, 2) == [(2, "fives", 0)]
    assert list_bike_turns(ride, 3) == []
    check_chains()


def test_concurrent_recording_moving_and_merging_lose_nothing_and_do_not_deadlock(
    ride: Ride, add_turn, desk: Actor
) -> None:
    rita = make_actor(ride.rita)
    one, two, three, four = (ride.bikes[number] for number in (1, 2, 3, 4))
    wrong, move = add_turn(one.number, 5, make_paper_turn("small_straight", 0)).operation_id, uuid4()
    add_turn(three.number, 4, make_paper_turn("twos", 2))

    def move_with_retries() -> Any:
        try:
            return move_turn(rita, move, ride.contest.pk, one.pk, three.pk, wrong, 1, "wrong bike")
        except UnknownTarget:
            return move_with_retries()  # as a phone does: its bike has just been merged

    receipts = at_once(
        [
            make_merge_call(desk, three, two),
            make_merge_call(desk, four, one),
            make_record_call(ride, rita, three.pk, 1, "threes"),
            make_record_call(ride, rita, two.pk, 2, "fours"),
            make_record_call(ride, rita, four.pk, 3, "fives"),
            make_record_call(ride, rita, one.pk, 4, "sixes"),
            move_with_retries,
        ]
    )

    assert [receipt.outcome for receipt in receipts] == ["recorded"] * 7
    assert list_bike_turns(ride, 2) == [(1, "threes", 0), (2, "fours", 0), (4, "twos", 2), (5, "small_straight", 0)]
    assert list_bike_turns(ride, 1) == [(3, "fives", 0), (4, "sixes", 0)]
    assert Turn.objects.count() == 6
    check_chains()


def test_a_failed_operation_leaves_no_old_slots_in_the_cache(ride: Ride) -> None:
    """The refused operation would have frozen the contest. The organiser may still add a turn, and it counts."""
    with pytest.raises(NotAllowed):
        make_record_call(ride, make_actor(ride.gus), ride.bikes[1].pk, 1, "chance")()
    assert not Entry.objects.exists()

    Contest.objects.filter(pk=ride.contest.pk).update(options={"turns": 6})
    sixth = ride.contest.slots.create(stop=ride.stops[3], ordinal=6)
    turn = TurnInput(ride.contest.pk, ride.bikes[1].pk, sixth.pk, make_paper_turn("chance", 20))

    assert record_turn(make_actor(ride.rita), uuid4(), turn).outcome == "recorded"
