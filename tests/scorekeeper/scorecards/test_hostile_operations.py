"""Operations that none of our pages send: each is refused or sent to review, with an explanation, and never crashes."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

import pytest

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import DiceSet, Group
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import MalformedOperation, NotAllowed, ReasonRequired, UnknownTarget
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike, renumber_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot, Stop
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database


def nested(depth: int) -> list[Any]:
    inside: list[Any] = []
    for _ in range(depth):
        inside = [inside]
    return inside


@pytest.fixture
def chance(ride: Ride, add_turn) -> Turn:
    """The current turn in the first slot of bike 1."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    return Turn.objects.get()


def amend(ride: Ride, *targets: CorrectionTarget, reason: str = "read wrongly"):
    return amend_turns(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, targets, reason)


@pytest.mark.parametrize(
    "actions",
    [
        ["paper"],
        [None, 7],
        [[{"type": "paper"}]],
        [{"type": ["paper"], "box": {}}],
        [{"type": "paper", "box": "chance", "points": True}],
        [{"type": "paper", "box": "chance", "points": 20.5}],
        [{"type": "result", "dice": "66666"}, {"type": "score", "box": "yahtzee"}],
        [{"type": "result", "dice": [1, 2, 3, 4, 5], "rolls": 10**15}, {"type": "score", "box": "chance"}],
        [{"type": "paper", "box": "chance", "points": 20, "seat": 1}],
        [{"type": "<script>", "box": "'; DROP TABLE"}],
    ],
)
def test_malformed_actions_go_to_review_unchanged(ride: Ride, add_turn, actions: list[Any]) -> None:
    receipt = add_turn(1, 1, actions)

    assert receipt.outcome == "refused"
    assert all(sentence.text for sentence in explain_all(ride.contest.game_key, receipt.problems))
    assert receipt.problems
    assert ReviewItem.objects.get().operation.body["actions"] == actions
    assert list_bike_turns(ride, 1) == []


@pytest.mark.parametrize(
    "action",
    [
        {"type": "a\0b"},
        {"type": "\ud800"},
        {"\0": 1},
        {1: "one", "1": 1},
        {"points": float("nan")},
        {"points": float("inf")},
        {"points": 10**5000},
        {"type": "x" * 100_000},
        {"type": nested(5_000)},
        {"type": nested(60)},
        {"type": b"paper"},
    ],
)
def test_what_cannot_be_stored_unchanged_is_refused(add_turn, action: dict[Any, Any]) -> None:
    with pytest.raises(MalformedOperation):
        add_turn(1, 1, [action])
    assert not Operation.objects.exists()


def test_a_reason_that_no_database_can_store_is_refused(add_turn) -> None:
    with pytest.raises(MalformedOperation):
        add_turn(1, 1, make_paper_turn("chance", 20), reason="late\0")
    assert not Operation.objects.exists()


def test_a_reason_in_any_script_is_stored(ride: Ride, add_turn) -> None:
    text = "überholt 🏍️ 雨 \\u0000"
    receipt = add_turn(1, 1, make_paper_turn("chance", 20), reason=text)

    operation = Operation.objects.get()
    assert operation.reason.text == text
    assert receipt.outcome == "recorded"


@pytest.mark.parametrize("rolled", [[], [{"type": "result", "dice": [1, 2, 3, 4, 5]}]])
def test_a_retirement_in_a_slot_is_no_turn(ride: Ride, add_turn, rolled: list[dict[str, Any]]) -> None:
    assert add_turn(1, 1, [*rolled, {"type": "retire"}]).outcome == "refused"
    assert list_bike_turns(ride, 1) == []


def test_a_turn_is_not_amended_into_a_retirement_nor_back(ride: Ride, chance: Turn) -> None:
    assert amend(ride, CorrectionTarget(chance.pk, 1, [{"type": "retire"}])).outcome == "refused"
    retire_bike(make_actor(ride.rita), retirement := uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")
    assert amend(ride, CorrectionTarget(retirement, 2, make_paper_turn("fives", 5))).outcome == "refused"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_an_amendment_into_an_unknown_slot_is_an_unknown_target(ride: Ride, chance: Turn, contest: Contest) -> None:
    other = Contest.objects.create(event=ride.event, name="Two", slug="two", game_key="rock-yahtzee", rules_version=1)
    foreign = Slot.objects.create(contest=other, stop=ride.stops[0], ordinal=1)
    for slot_id in (uuid4(), foreign.pk):
        with pytest.raises(UnknownTarget):
            amend(ride, CorrectionTarget(chance.pk, 1, make_paper_turn("chance", 20), slot_id))
    assert Operation.objects.count() == 1


def test_an_amendment_into_a_taken_slot_is_a_conflict(ride: Ride, add_turn, chance: Turn) -> None:
    add_turn(1, 2, make_paper_turn("fives", 10))

    receipt = amend(ride, CorrectionTarget(chance.pk, 1, make_paper_turn("chance", 20), ride.slots[1].pk))

    assert receipt.outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "fives", 10)]


def test_two_turns_amended_into_one_slot_are_a_conflict(ride: Ride, add_turn, chance: Turn) -> None:
    fives = add_turn(1, 2, make_paper_turn("fives", 10)).operation_id
    third = ride.slots[2].pk

    receipt = amend(
        ride,
        CorrectionTarget(chance.pk, 1, make_paper_turn("chance", 20), third),
        CorrectionTarget(fives, 2, make_paper_turn("fives", 10), third),
    )

    assert receipt.outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "fives", 10)]


def test_two_turns_exchange_their_slots(ride: Ride, add_turn, chance: Turn) -> None:
    fives = add_turn(1, 2, make_paper_turn("fives", 10)).operation_id
    one, two = ride.slots[0].pk, ride.slots[1].pk

    receipt = amend(
        ride,
        CorrectionTarget(chance.pk, 1, make_paper_turn("chance", 20), two),
        CorrectionTarget(fives, 2, make_paper_turn("fives", 10), one),
    )

    assert receipt.outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "fives", 10), (2, "chance", 20)]


def test_a_correction_that_names_a_turn_twice_or_none_is_malformed(ride: Ride, chance: Turn) -> None:
    with pytest.raises(MalformedOperation):
        amend(ride, CorrectionTarget(chance.pk, 1, None), CorrectionTarget(chance.pk, 1, make_paper_turn("chance", 22)))
    with pytest.raises(MalformedOperation):
        amend(ride)
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_reason_of_spaces_is_no_reason(ride: Ride, chance: Turn, add_turn, desk: Actor) -> None:
    one, two = ride.bikes[1].pk, ride.bikes[2].pk
    with pytest.raises(ReasonRequired):
        amend(ride, CorrectionTarget(chance.pk, 1, None), reason=" \t\n")
    with pytest.raises(ReasonRequired):
        move_turn(desk, uuid4(), ride.contest.pk, one, two, chance.pk, 1, "  ")
    Chain.objects.update(is_sealed=True)
    assert add_turn(1, 2, make_paper_turn("fives", 10), by=desk, reason="   ").outcome == "late"


def test_the_derived_id_of_a_turn_is_refused_for_an_operation(ride: Ride, chance: Turn, add_turn) -> None:
    """Such an operation would replace the moved turn in the card's fold."""
    bikes = ride.bikes[1].pk, ride.bikes[2].pk
    move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, *bikes, chance.pk, 1, "wrong bike")
    moved = Turn.objects.get()

    with pytest.raises(MalformedOperation):
        add_turn(2, 2, make_paper_turn("fives", 10), operation=moved.pk)
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]


def test_an_organiser_of_another_event_moves_nothing_here(ride: Ride, chance: Turn, other_event: Event) -> None:
    charlie = Actor.from_organiser(Organiser.objects.get(event=other_event))
    bikes = ride.bikes[1].pk, ride.bikes[2].pk

    with pytest.raises(NotAllowed):
        move_turn(charlie, uuid4(), ride.contest.pk, *bikes, chance.pk, 1, "mischief")
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_bike_of_another_event_is_unknown(ride: Ride, other_event: Event) -> None:
    foreign = Bike.objects.create(event=other_event, number=1)
    with pytest.raises(UnknownTarget):
        record_turn(
            make_actor(ride.rita),
            uuid4(),
            TurnInput(ride.contest.pk, foreign.pk, ride.slots[0].pk, make_paper_turn("chance", 20)),
        )
    assert not Chain.objects.exists()


def test_nothing_is_recorded_in_a_contest_of_another_event(ride: Ride, other_event: Event) -> None:
    contest = Contest.objects.create(
        event=other_event, name="Theirs", slug="theirs", game_key="rock-yahtzee", rules_version=1
    )
    stop = Stop.objects.create(event=other_event, name="Bern", ordinal=1)
    slot = Slot.objects.create(contest=contest, stop=stop, ordinal=1)
    bike = Bike.objects.create(event=other_event, number=1)

    with pytest.raises(NotAllowed):
        record_turn(
            make_actor(ride.rita), uuid4(), TurnInput(contest.pk, bike.pk, slot.pk, make_paper_turn("chance", 20))
        )
    contest.refresh_from_db()
    assert contest.frozen_at is None


def test_a_turn_with_an_unknown_dice_set_still_counts(ride: Ride, add_turn, other_event: Event) -> None:
    foreign = DiceSet.objects.create(
        group=Group.objects.create(event=other_event, name="Theirs", ordinal=1), name="Red", ordinal=1
    )
    own = ride.group_two.dice_sets.first()
    assert own is not None
    for slot, (dice_set, expected) in enumerate([(uuid4(), None), (foreign.pk, None), (own.pk, own.pk)], 1):
        receipt = add_turn(1, slot, make_paper_turn(("chance", "fives", "sixes")[slot - 1], 0), dice_set_id=dice_set)
        assert receipt.outcome == "recorded"
        assert Turn.objects.get(pk=receipt.operation_id).dice_set_id == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": 0},
        {"number": -1},
        {"number": 10**9},
        {"rider": "x" * 81},
        {"make": "x" * 61},
        {"model": "a\0"},
    ],
)
def test_a_walk_up_with_values_that_no_form_accepts_is_refused(ride: Ride, wrong: dict[str, Any]) -> None:
    walk_up = WalkUp(**{"id": uuid4(), "number": 57, "group_id": ride.group_one.pk, **wrong})
    with pytest.raises(MalformedOperation):
        register_bike(make_actor(ride.rita), uuid4(), walk_up)
    assert not Operation.objects.exists()
    assert not Bike.objects.filter(pk=walk_up.id).exists()


def test_no_bike_gets_a_number_that_no_form_accepts(ride: Ride, desk: Actor) -> None:
    with pytest.raises(MalformedOperation):
        renumber_bike(desk, uuid4(), ride.bikes[1].pk, -3, "typing error")
    assert not Entry.objects.exists()


def test_an_operation_id_of_version_five_is_refused(add_turn) -> None:
    with pytest.raises(MalformedOperation):
        add_turn(1, 1, make_paper_turn("chance", 20), operation=uuid5(NAMESPACE_URL, "mine"))
