"""Operations on bikes: walk-ups, numbers used twice, renumbering and merging."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.ledger.services.recording import IdReused, MalformedOperation, NotAllowed, ReasonRequired
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import (
    CannotMerge,
    WalkUp,
    merge_bikes,
    register_bike,
    renumber_bike,
)
from scorekeeper.scorecards.services.bike_unmerge import CannotUnmerge, unmerge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import CannotDecide, decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database


def walk_up(ride: Ride, number: int) -> Bike:
    walk_up_data = WalkUp(uuid4(), number, ride.group_one.pk, rider="Ivy", passenger="Jo")
    register_bike(make_actor(ride.rita), uuid4(), walk_up_data)
    return Bike.objects.get(pk=walk_up_data.id)


def test_a_walk_up_is_registered_with_its_people_and_no_name_enters_the_log(ride: Ride) -> None:
    bike = walk_up(ride, 57)

    assert bike.label == "57"
    assert bike.is_walk_up
    assert [str(player) for player in Player.objects.filter(bike=bike)] == ["Ivy", "Jo"]
    assert "Ivy" not in Entry.objects.get().body


def test_bikes_with_the_same_number_get_suffixes(ride: Ride) -> None:
    assert walk_up(ride, 2).label == "2 (2)"
    assert walk_up(ride, 2).label == "2 (3)"


def test_the_same_registration_twice_makes_one_bike(ride: Ride) -> None:
    walk_up_data, operation, rita = WalkUp(uuid4(), 57, ride.group_one.pk, rider="Ivy"), uuid4(), make_actor(ride.rita)

    assert register_bike(rita, operation, walk_up_data) == register_bike(rita, operation, walk_up_data)
    assert Bike.objects.filter(number=57).count() == 1


def test_a_walk_up_can_roll_at_once(ride: Ride) -> None:
    bike = walk_up(ride, 57)
    turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[0].pk, make_paper_turn("chance", 20))

    assert record_turn(make_actor(ride.rita), uuid4(), turn).outcome == "recorded"


def test_the_organiser_renumbers(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 2)

    renumber_bike(desk, uuid4(), bike.pk, 58, "read 2 for 58")

    bike.refresh_from_db()
    assert bike.label == "58"
    with pytest.raises(NotAllowed):
        renumber_bike(make_actor(ride.rita), uuid4(), bike.pk, 59, "not mine to do")


def test_merging_moves_turns_and_people_and_leaves_an_alias(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(2, 1, make_paper_turn("chance", 20))
    bike = walk_up(ride, 2)
    turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[1].pk, make_paper_turn("fives", 15))
    record_turn(make_actor(ride.rita), uuid4(), turn)

    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (2, "fives", 15)]
    bike.refresh_from_db()
    assert bike.merged_into_id == ride.bikes[2].pk


def test_a_phone_that_still_uses_the_alias_writes_to_the_right_card(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 2)
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")
    turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[2].pk, make_paper_turn("sixes", 12))

    assert record_turn(make_actor(ride.rita), uuid4(), turn).outcome == "recorded"
    assert list_bike_turns(ride, 2) == [(3, "sixes", 12)]


def test_two_bikes_that_both_rolled_at_a_stop_are_not_merged(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(2, 1, make_paper_turn("chance", 20))
    bike = walk_up(ride, 2)
    turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[0].pk, make_paper_turn("fives", 15))
    record_turn(make_actor(ride.rita), uuid4(), turn)

    with pytest.raises(CannotMerge) as refused:
        merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")
    assert refused.value.slot_ids == (ride.slots[0].pk,)
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


def record_paper_turn(ride: Ride, bike_id: UUID, slot: int, box: str, points: int = 0):
    turn = TurnInput(ride.contest.pk, bike_id, ride.slots[slot - 1].pk, make_paper_turn(box, points))
    return record_turn(make_actor(ride.rita), uuid4(), turn)


def test_one_bike_registered_by_two_operations_is_one_bike(ride: Ride) -> None:
    """A page that is sent again with a new operation id and the same bike id."""
    walk_up_data, rita = WalkUp(uuid4(), 57, ride.group_one.pk, rider="Ivy"), make_actor(ride.rita)
    register_bike(rita, uuid4(), walk_up_data)

    again = register_bike(rita, uuid4(), walk_up_data)

    assert (again.outcome, again.data) == ("merged", {"bike": str(walk_up_data.id), "number": 57, "suffix": 1})
    assert Player.objects.filter(bike_id=walk_up_data.id).count() == 1
    with pytest.raises(IdReused):
        register_bike(rita, uuid4(), WalkUp(walk_up_data.id, 58, ride.group_one.pk))


def test_a_bike_of_another_event_is_not_registered_here(ride: Ride, other_event) -> None:
    foreign = Bike.objects.create(event=other_event, number=57)
    with pytest.raises(NotAllowed):
        register_bike(make_actor(ride.rita), uuid4(), WalkUp(foreign.pk, 57, ride.group_one.pk))


def test_a_bike_renumbered_to_its_own_number_keeps_it(ride: Ride, desk: Actor) -> None:
    renumber_bike(desk, uuid4(), ride.bikes[2].pk, 2, "was right after all")

    ride.bikes[2].refresh_from_db()
    assert ride.bikes[2].label == "2"


def test_a_bike_is_not_merged_into_itself(ride: Ride, add_turn, desk: Actor) -> None:
    with pytest.raises(CannotMerge):
        merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[2].pk, "slip")
    assert add_turn(2, 1, make_paper_turn("chance", 20)).outcome == "recorded"


def test_merging_needs_a_reason(ride: Ride, desk: Actor) -> None:
    with pytest.raises(ReasonRequired):
        merge_bikes(desk, uuid4(), walk_up(ride, 2).pk, ride.bikes[2].pk, "  ")


def test_turns_recorded_under_any_alias_of_a_chain_of_merges_reach_the_last_bike(ride: Ride, desk: Actor) -> None:
    first, second = walk_up(ride, 2), walk_up(ride, 2)
    record_paper_turn(ride, first.pk, 1, "chance", 20)
    merge_bikes(desk, uuid4(), first.pk, second.pk, "the same machine")
    record_paper_turn(ride, first.pk, 2, "fives", 15)
    merge_bikes(desk, uuid4(), second.pk, ride.bikes[2].pk, "and that too")

    assert record_paper_turn(ride, first.pk, 3, "sixes", 12).outcome == "recorded"
    assert record_paper_turn(ride, second.pk, 4, "fours", 12).outcome == "recorded"
    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (2, "fives", 15), (3, "sixes", 12), (4, "fours", 12)]
    assert Turn.objects.count() == 4


def test_merges_are_undone_in_reverse_and_each_moves_its_turns_back(ride: Ride, desk: Actor) -> None:
    first, second = walk_up(ride, 2), walk_up(ride, 2)
    record_paper_turn(ride, first.pk, 1, "chance", 20)
    record_paper_turn(ride, second.pk, 2, "fives", 15)
    merge_bikes(desk, uuid4(), first.pk, second.pk, "the same machine")
    merge_bikes(desk, uuid4(), second.pk, ride.bikes[2].pk, "and that too")

    with pytest.raises(CannotUnmerge):
        unmerge_bikes(desk, uuid4(), first.pk, "not that one")
    with pytest.raises(NotAllowed):
        unmerge_bikes(make_actor(ride.rita), uuid4(), second.pk, "not mine to do")
    unmerge_bikes(desk, uuid4(), second.pk, "another machine")

    def list_turns() -> dict[UUID | None, list[tuple[str | None, int]]]:
        found: dict[UUID | None, list[tuple[str | None, int]]] = {}
        for turn in Turn.objects.order_by("slot__ordinal"):
            found.setdefault(turn.card.seats.get().bike_id, []).append((turn.line, turn.points))
        return found

    assert list_turns() == {second.pk: [("chance", 20), ("fives", 15)]}
    first.refresh_from_db()
    assert first.merged_into_id == second.pk
    unmerge_bikes(desk, uuid4(), first.pk, "nor that")
    assert list_turns() == {first.pk: [("chance", 20)], second.pk: [("fives", 15)]}
    assert list(list_damage(ride.event)) == []


def test_an_alias_that_never_had_a_card_gets_none(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 2)
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    record_paper_turn(ride, bike.pk, 1, "chance", 20)

    assert not bike.seats.exists()
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


def test_a_phone_may_still_record_its_bike_after_it_was_merged_into_another_group(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 5)
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[5].pk, "the same machine")

    assert record_paper_turn(ride, bike.pk, 1, "chance", 20).outcome == "recorded"
    with pytest.raises(NotAllowed):
        record_paper_turn(ride, ride.bikes[6].pk, 1, "chance", 20)


def test_a_correction_of_a_turn_that_a_merge_has_moved_is_a_conflict(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 2)
    turn = record_paper_turn(ride, bike.pk, 1, "chance", 20).operation_id
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    receipt = amend_turns(
        make_actor(ride.rita), uuid4(), ride.contest.pk, bike.pk, [CorrectionTarget(turn, 1, None)], "not rolled by her"
    )

    assert receipt.outcome == "conflict"
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


def test_a_move_between_two_numbers_of_one_bike_is_in_review_and_survives_the_end_of_the_merge(
    ride: Ride, desk: Actor
) -> None:
    """Its phone does not know of the merge. Once that is undone, the turn is on the wrong bike again."""
    bike = walk_up(ride, 2)
    turn = record_paper_turn(ride, bike.pk, 1, "chance", 20).operation_id
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    receipt = move_turn(
        make_actor(ride.rita), uuid4(), ride.contest.pk, bike.pk, ride.bikes[2].pk, turn, 1, "it is bike 2"
    )

    assert receipt.outcome == "conflict"
    assert [problem["code"] for problem in receipt.problems if isinstance(problem, Mapping)] == ["same_bike"]
    item = ReviewItem.objects.get()
    assert item.reason == "same_bike"
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]
    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), item.pk, "apply", "as it was meant")
    assert list(list_damage(ride.event)) == []

    unmerge_bikes(desk, uuid4(), bike.pk, "two machines after all")
    assert list_bike_turns(ride, 2) == []
    decide_review(desk, uuid4(), item.pk, "apply", "as it was meant")
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]
    assert list(list_damage(ride.event)) == []


def test_a_move_between_two_numbers_of_one_bike_in_a_closed_contest_is_late(ride: Ride, desk: Actor) -> None:
    bike = walk_up(ride, 2)
    turn = record_paper_turn(ride, bike.pk, 1, "chance", 20).operation_id
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")
    close_contest(desk, uuid4(), ride.contest.pk, "over")

    receipt = move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, bike.pk, ride.bikes[2].pk, turn, 1, "bike 2")

    assert receipt.outcome == "late"
    assert ReviewItem.objects.get().reason == "late"


def test_a_move_from_a_bike_to_itself_is_refused_for_good(ride: Ride, add_turn) -> None:
    """A phone would send what is unknown again and again."""
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    bike = ride.bikes[1].pk

    with pytest.raises(MalformedOperation, match="on this bike already"):
        move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, bike, bike, turn, 1, "wrong bike")


def test_a_turn_moves_to_an_alias_onto_the_right_card(ride: Ride, add_turn, desk: Actor) -> None:
    bike = walk_up(ride, 2)
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id

    move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, bike.pk, turn, 1, "wrong bike")

    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


@pytest.mark.parametrize("decision", ["keep", "apply"])
def test_a_review_item_of_a_merged_bike_is_decided_on_the_bike_it_became(
    ride: Ride, desk: Actor, decision: str
) -> None:
    bike = walk_up(ride, 2)
    record_paper_turn(ride, bike.pk, 1, "chance", 20)
    record_paper_turn(ride, bike.pk, 1, "fives", 15)
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, decision, "asked the rider")

    assert list_bike_turns(ride, 2) == [(1, "chance", 20) if decision == "keep" else (1, "fives", 15)]
    assert Turn.objects.count() == 1


@pytest.mark.parametrize("both", [False, True])
def test_a_bike_that_left_has_left_under_its_other_number_too(ride: Ride, desk: Actor, both: bool) -> None:
    """TABLE-3."""
    bike = walk_up(ride, 2)
    record_paper_turn(ride, bike.pk, 1, "chance", 20)
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, bike.pk, "flat tyre")
    if both:
        retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[2].pk, "flat tyre")
    merge_bikes(desk, uuid4(), bike.pk, ride.bikes[2].pk, "the same machine")

    again = retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[2].pk, "flat tyre")

    assert again.outcome == "merged"
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]
