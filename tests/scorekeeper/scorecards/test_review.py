"""`decide_review`: the organiser decides on an entry under review, and the log has the decision."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scorekeeper.events.models import Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import CannotDecide, decide_review
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn

pytestmark = pytest.mark.database


@pytest.fixture
def conflict(ride: Ride, add_turn) -> ReviewItem:
    """Two crew members recorded the first finale turn of bike 1 differently."""
    add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "full_house"))
    add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "chance"), by=make_actor(ride.tom))
    return ReviewItem.objects.get()


def test_keep_leaves_the_current_turn_and_writes_to_the_log(ride: Ride, conflict: ReviewItem, desk: Actor) -> None:
    decide_review(desk, uuid4(), conflict.pk, "keep", "Rita was nearer")

    assert list_bike_turns(ride, 1) == [(4, "full_house", 25)]
    assert Entry.objects.exclude(kind="review").latest("seq").kind == "settle"
    conflict.refresh_from_db()
    assert conflict.decision == "keep"
    assert conflict.settled_at is not None


def test_apply_uses_the_entry_under_review(ride: Ride, conflict: ReviewItem, desk: Actor) -> None:
    decide_review(desk, uuid4(), conflict.pk, "apply", "the player says chance")

    assert list_bike_turns(ride, 1) == [(4, "chance", 24)]


def test_other_slot_records_it_in_a_free_slot_of_the_same_stop(ride: Ride, conflict: ReviewItem, desk: Actor) -> None:
    decide_review(desk, uuid4(), conflict.pk, "other_slot", "both were rolled", ride.slots[4].pk)

    assert list_bike_turns(ride, 1) == [(4, "full_house", 25), (5, "chance", 24)]


def test_other_slot_must_be_free_and_at_the_same_stop(ride: Ride, conflict: ReviewItem, desk: Actor) -> None:
    for slot in (ride.slots[0].pk, ride.slots[3].pk, None):
        with pytest.raises(CannotDecide):
            decide_review(desk, uuid4(), conflict.pk, "other_slot", "both were rolled", slot)
    conflict.refresh_from_db()
    assert conflict.settled_at is None


def test_an_item_is_decided_once(conflict: ReviewItem, desk: Actor) -> None:
    decide_review(desk, uuid4(), conflict.pk, "keep", "Rita was nearer")

    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), conflict.pk, "apply", "no, Tom was")


def test_crew_cannot_decide(ride: Ride, conflict: ReviewItem) -> None:
    with pytest.raises(NotAllowed):
        decide_review(make_actor(ride.rita), uuid4(), conflict.pk, "keep", "me")


def test_a_late_turn_counts_when_the_organiser_uses_it(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    Chain.objects.update(is_sealed=True)
    add_turn(1, 2, make_paper_turn("fives", 10))

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "the phone was late, the dice were not")

    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "fives", 10)]


def test_an_illegal_entry_cannot_be_used(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 2, make_paper_turn("chance", 22))

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "please")
    assert refused.value.problems[0]["rule"] == "ROCK-16"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


@pytest.fixture
def late(ride: Ride, add_turn) -> dict[str, ReviewItem]:
    """An item of each kind that arrived after the contest was closed."""
    turn, rita = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id, make_actor(ride.rita)
    Chain.objects.update(is_sealed=True)
    one, two = ride.bikes[1].pk, ride.bikes[2].pk
    add_turn(1, 2, make_paper_turn("fives", 10))
    amend_turns(
        rita, uuid4(), ride.contest.pk, one, [CorrectionTarget(turn, 1, make_paper_turn("chance", 22))], "read wrongly"
    )
    move_turn(rita, uuid4(), ride.contest.pk, one, two, turn, 1, "wrong bike")
    retire_bike(rita, uuid4(), ride.contest.pk, one, "flat tyre")
    return {item.operation.kind: item for item in ReviewItem.objects.select_related("operation")}


@pytest.mark.parametrize("kind", ["turn", "amend", "move", "retire"])
def test_every_kind_can_be_dismissed(ride: Ride, late, desk: Actor, kind: str) -> None:
    decide_review(desk, uuid4(), late[kind].pk, "keep", "too late")

    late[kind].refresh_from_db()
    assert late[kind].decision == "keep"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_an_item_without_a_card_is_dismissed_in_the_chain_of_its_contest(ride: Ride, late, desk: Actor) -> None:
    ReviewItem.objects.update(card=None)

    decide_review(desk, uuid4(), late["turn"].pk, "keep", "nobody knows what it was")

    assert Entry.objects.get(kind="settle").chain_id == ride.contest.pk
    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), late["amend"].pk, "apply", "please")


def test_a_late_retirement_counts_when_the_organiser_uses_it(ride: Ride, late, desk: Actor) -> None:
    decide_review(desk, uuid4(), late["retire"].pk, "apply", "seen by all")

    assert Entry.objects.exclude(kind="review").latest("seq").kind == "retire"


def test_a_retirement_cannot_be_used_once_the_bike_has_retired(ride: Ride, late, desk: Actor) -> None:
    """TABLE-2"""
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    with pytest.raises(CannotDecide) as refused:
        decide_review(desk, uuid4(), late["retire"].pk, "apply", "seen by all")

    assert [problem["rule"] for problem in refused.value.problems] == ["TABLE-2"]
    assert Entry.objects.filter(kind="retire").count() == 1


def test_a_decision_that_does_not_fit_the_operation_is_refused(ride: Ride, late, desk: Actor) -> None:
    free = ride.slots[4].pk
    for kind, decision in (("amend", "other_slot"), ("retire", "other_slot"), ("move", "other_slot"), ("turn", "burn")):
        with pytest.raises(CannotDecide):
            decide_review(desk, uuid4(), late[kind].pk, decision, "hm", free)
    assert not ReviewItem.objects.exclude(settled_at=None).exists()


def test_a_decision_needs_a_reason(late, desk: Actor) -> None:
    with pytest.raises(ReasonRequired):
        decide_review(desk, uuid4(), late["turn"].pk, "keep", "  ")


def test_an_organiser_of_another_event_finds_no_such_item(late, other_event: Event) -> None:
    charlie = Actor.from_organiser(Organiser.objects.get(event=other_event))
    with pytest.raises(NotAllowed):
        decide_review(charlie, uuid4(), late["turn"].pk, "keep", "mischief")


def test_deciding_twice_under_one_id_returns_one_receipt(conflict: ReviewItem, desk: Actor) -> None:
    operation = uuid4()

    first = decide_review(desk, operation, conflict.pk, "apply", "the player says chance")

    assert decide_review(desk, operation, conflict.pk, "apply", "the player says chance") == first
