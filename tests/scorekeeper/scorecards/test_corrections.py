"""Corrections: judged together, refused with the conflicting turn, and never applied to something newer."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import MalformedOperation, NotAllowed, UnknownTarget
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)

pytestmark = pytest.mark.database


def turn_at(ride: Ride, number: int, slot: int) -> Turn:
    return Turn.objects.get(card=get_bike_card(ride, ride.bikes[number]), slot=ride.slots[slot - 1])


def target(ride: Ride, number: int, slot: int, actions: list | None) -> CorrectionTarget:
    turn = turn_at(ride, number, slot)
    return CorrectionTarget(turn.pk, turn.seq, actions)


def amend(ride: Ride, number: int, targets: list[CorrectionTarget], by: Actor | None = None, **more) -> Receipt:
    who = by or make_actor(ride.rita)
    return amend_turns(who, uuid4(), ride.contest.pk, ride.bikes[number].pk, targets, "read wrongly", **more)


def test_a_turn_is_corrected_in_its_slot_and_keeps_its_id(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    before = turn_at(ride, 1, 1)

    receipt = amend(ride, 1, [target(ride, 1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"))])

    assert receipt.outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "small_straight", 30)]
    after = turn_at(ride, 1, 1)
    assert (after.pk, after.seq) == (before.pk, 2)
    assert after.recorded_at == before.recorded_at


def test_two_boxes_are_swapped_where_one_change_alone_would_be_illegal(ride: Ride, add_turn) -> None:
    """ROCK-16 forbids either change by itself."""
    add_turn(1, 1, make_final_turn([4, 4, 4, 4, 6], "chance"))
    add_turn(1, 2, make_final_turn([4, 4, 4, 4, 5], "four_of_a_kind"))
    first = target(ride, 1, 1, make_final_turn([4, 4, 4, 4, 6], "four_of_a_kind"))
    second = target(ride, 1, 2, make_final_turn([4, 4, 4, 4, 5], "chance"))

    assert amend(ride, 1, [first]).outcome == "refused"
    assert amend(ride, 1, [first, second]).outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "four_of_a_kind", 22), (2, "chance", 21)]


def test_an_illegal_correction_names_the_conflicting_turn_and_goes_to_review(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 2, make_paper_turn("fives", 15))

    receipt = amend(ride, 1, [target(ride, 1, 1, make_paper_turn("fives", 10))])

    assert receipt.outcome == "refused"
    assert receipt.problems[0]["about"] == "Parks"
    item = ReviewItem.objects.get()
    assert item.against == [str(turn_at(ride, 1, 2).pk)]
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "fives", 15)]


def test_a_void_frees_the_slot_and_the_box(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    assert amend(ride, 1, [target(ride, 1, 1, None)]).outcome == "recorded"

    assert list_bike_turns(ride, 1) == []
    assert add_turn(1, 1, make_paper_turn("chance", 22)).outcome == "recorded"
    assert Entry.objects.count() == 3


def test_a_correction_of_something_newer_is_a_conflict(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    seen = target(ride, 1, 1, make_paper_turn("chance", 21))
    amend(ride, 1, [target(ride, 1, 1, make_paper_turn("chance", 22))])

    assert amend(ride, 1, [seen]).outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "chance", 22)]
    assert ReviewItem.objects.get().reason == "stale"


def test_a_phone_may_undo_its_own_turn_whatever_came_before_it(ride: Ride, add_turn) -> None:
    """Without signal it cannot know that another phone's turn comes first in the log."""
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)
    add_turn(1, 1, make_paper_turn("chance", 20), by=tom)
    add_turn(1, 2, make_paper_turn("aces", 3), by=rita)
    as_its_phone_saw_it = CorrectionTarget(turn_at(ride, 1, 2).pk, 1, None)

    assert amend(ride, 1, [as_its_phone_saw_it], by=tom).outcome == "conflict"
    assert amend(ride, 1, [as_its_phone_saw_it], by=make_actor(ride.rita)).outcome == "conflict"
    assert amend(ride, 1, [as_its_phone_saw_it], by=rita).outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_phone_does_not_undo_its_turn_once_someone_has_corrected_it(ride: Ride, add_turn) -> None:
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)
    add_turn(1, 1, make_paper_turn("chance", 20), by=rita)
    amend(ride, 1, [target(ride, 1, 1, make_paper_turn("chance", 21))], by=tom)

    assert amend(ride, 1, [CorrectionTarget(turn_at(ride, 1, 1).pk, 1, None)], by=rita).outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "chance", 21)]


def test_a_correction_after_closing_needs_the_organiser(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    Chain.objects.update(is_sealed=True)
    change = target(ride, 1, 1, make_paper_turn("chance", 22))

    assert amend(ride, 1, [change]).outcome == "late"
    assert amend(ride, 1, [change], by=desk).outcome == "recorded"


def test_a_turn_moves_to_the_right_bike_in_one_step(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    turn = turn_at(ride, 1, 1)
    bikes = ride.bikes[1].pk, ride.bikes[2].pk

    receipt = move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, *bikes, turn.pk, turn.seq, "wrong bike")

    assert receipt.outcome == "recorded"
    assert len(receipt.entries) == 2
    assert list_bike_turns(ride, 1) == []
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


def test_a_turn_does_not_move_to_a_taken_slot(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("fives", 20))
    turn = turn_at(ride, 1, 1)
    bikes = ride.bikes[1].pk, ride.bikes[2].pk

    receipt = move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, *bikes, turn.pk, turn.seq, "wrong bike")

    assert receipt.outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    assert list_bike_turns(ride, 2) == [(1, "fives", 20)]


def test_a_turn_moves_only_between_bikes_the_crew_may_record(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    turn = turn_at(ride, 1, 1)
    for to_bike, error in (
        (ride.bikes[5].pk, NotAllowed),
        (ride.bikes[1].pk, MalformedOperation),
        (UUID(int=0), UnknownTarget),
    ):
        with pytest.raises(error):
            move_turn(
                make_actor(ride.tom),
                uuid4(),
                ride.contest.pk,
                ride.bikes[1].pk,
                to_bike,
                turn.pk,
                turn.seq,
                "wrong bike",
            )
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_retired_bike_keeps_its_points(ride: Ride, add_turn) -> None:
    """TABLE-3."""
    add_turn(1, 1, make_paper_turn("chance", 20))

    receipt = retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    assert receipt.outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_turn_rolled_before_the_bike_left_may_still_arrive(ride: Ride, add_turn) -> None:
    """A retirement has no slot and is folded last."""
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    assert add_turn(1, 1, make_paper_turn("chance", 20)).outcome == "recorded"
