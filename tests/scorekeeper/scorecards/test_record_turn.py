"""`record_turn`: a turn counts once or not at all, and goes to review if it cannot be applied."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.core.problems import NO_CLAUSE
from scorekeeper.crew.access import DEVICE_COOKIE, get_device
from scorekeeper.crew.services.devices import create_device
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation, OperationReason, ReviewItem, StaleCard
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)
from tests.scorekeeper.statements import list_statements

pytestmark = pytest.mark.database


def test_a_turn_is_recorded_on_the_card(ride: Ride, add_turn) -> None:
    receipt = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"))

    assert receipt.outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "small_straight", 30)]
    assert StaleCard.objects.filter(card_id=get_bike_card(ride, ride.bikes[1]).pk).count() == 1


def test_the_receipt_has_the_sequence_number_and_hash_of_the_entry(ride: Ride, add_turn) -> None:
    receipt = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    chain = Chain.objects.get(pk=get_bike_card(ride, ride.bikes[1]).pk)
    assert receipt.entries == ({"chain": str(chain.pk), "seq": 1, "hash": chain.head},)
    assert chain.length == 1


def test_the_same_operation_again_gets_the_same_receipt_and_nothing_more(ride: Ride, add_turn) -> None:
    operation = uuid4()

    first = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"), operation=operation)
    again = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"), operation=operation)

    assert again == first
    assert Entry.objects.count() == 1
    assert Operation.objects.count() == 1


def test_the_same_id_with_another_body_is_refused(add_turn) -> None:
    operation = uuid4()
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"), operation=operation)

    with pytest.raises(IdReused):
        add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "fives"), operation=operation)
    assert Entry.objects.count() == 1


def test_a_turn_goes_to_review_only_once(add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    operation = uuid4()

    first = add_turn(1, 1, make_paper_turn("chance", 22), operation=operation)
    again = add_turn(1, 1, make_paper_turn("chance", 22), operation=operation)

    assert first.outcome == again.outcome == "conflict"
    assert ReviewItem.objects.count() == 1


def test_equal_turns_from_two_crew_members_are_merged(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_final_turn([4, 4, 4, 6, 6], "full_house"))

    receipt = add_turn(1, 1, make_paper_turn("full_house", 25), by=make_actor(ride.tom))

    assert receipt.outcome == "merged"
    assert list_bike_turns(ride, 1) == [(1, "full_house", 25)]
    assert not ReviewItem.objects.exists()


def test_of_different_turns_from_two_crew_members_the_first_counts(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_final_turn([4, 4, 4, 6, 6], "full_house"))

    receipt = add_turn(1, 1, make_final_turn([4, 4, 4, 6, 6], "chance"), by=make_actor(ride.tom))

    assert receipt.outcome == "conflict"
    assert list_bike_turns(ride, 1) == [(1, "full_house", 25)]
    item = ReviewItem.objects.get()
    assert item.reason == "conflict"
    assert item.operation.body["actions"][-1] == {"type": "score", "box": "chance"}


def test_stops_recorded_out_of_order_are_folded_in_slot_order(ride: Ride, add_turn) -> None:
    """ROCK-14: the first Yahtzee is that of the earlier stop, whichever phone sent first."""
    for slot in (3, 2, 1):
        assert add_turn(1, slot, make_final_turn([6, 6, 6, 6, 6], "yahtzee")).outcome == "recorded"

    assert list_bike_turns(ride, 1) == [(1, "yahtzee", 50), (2, "yahtzee", 50), (3, "yahtzee", 100)]


def test_a_turn_that_makes_a_later_turn_invalid_goes_to_review_naming_it(ride: Ride, add_turn) -> None:
    """ROCK-16: the box was used at a later stop by another phone."""
    add_turn(1, 2, make_final_turn([1, 2, 3, 4, 6], "chance"))

    receipt = add_turn(1, 1, make_final_turn([1, 2, 3, 4, 5], "chance"), by=make_actor(ride.tom))

    assert receipt.outcome == "refused"
    assert list_bike_turns(ride, 1) == [(2, "chance", 16)]
    assert [(problem["about"], problem["rule"]) for problem in receipt.problems] == [("Parks", "ROCK-16")]
    assert ReviewItem.objects.get().reason == "rule"


ILLEGAL: Any = pytest.mark.parametrize(
    ("actions", "rule"),
    [
        ([{"type": "result", "dice": [1, 2, 3, 4]}, {"type": "score", "box": "chance"}], "ROCK-31"),
        ([{"type": "result", "dice": [1, 2, 3, 4, 7]}, {"type": "score", "box": "chance"}], NO_CLAUSE),
        ([{"type": "roll", "dice": [1, 2, 3, 4, 5]}], "TABLE-1"),
        ([{"type": "paper", "box": "chance", "points": 3}], "ROCK-29"),
        ([*make_paper_turn("chance", 20), *make_paper_turn("fives", 5)], "TABLE-1"),
        ([], NO_CLAUSE),
    ],
)


@ILLEGAL
def test_an_illegal_turn_goes_to_review_with_its_clause(ride: Ride, add_turn, actions, rule: str) -> None:
    receipt = add_turn(1, 1, actions)

    assert receipt.outcome == "refused"
    assert receipt.problems[0]["rule"] == rule
    assert list_bike_turns(ride, 1) == []
    assert ReviewItem.objects.get().operation.body["actions"] == actions


@ILLEGAL
def test_an_illegal_turn_is_answered_the_same_where_the_slot_is_taken(ride: Ride, add_turn, actions, rule: str) -> None:
    free = add_turn(2, 1, actions)
    current = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id

    taken = add_turn(1, 1, actions, by=make_actor(ride.tom))

    assert (taken.outcome, taken.problems) == (free.outcome, free.problems)
    assert taken.problems[0]["rule"] == rule
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    item = ReviewItem.objects.get(pk=taken.review_id)
    assert (item.reason, item.against) == ("rule", [str(current)]), "the organiser sees what is in the slot"


def test_a_turn_that_makes_a_later_one_invalid_is_answered_the_same_where_the_slot_is_taken(
    ride: Ride, add_turn
) -> None:
    """ROCK-16: the box was used at a later stop."""
    for bike in (1, 2):
        add_turn(bike, 2, make_paper_turn("chance", 16))
    add_turn(1, 1, make_paper_turn("sixes", 18))

    taken, free = (add_turn(bike, 1, make_paper_turn("chance", 15), by=make_actor(ride.tom)) for bike in (1, 2))

    assert (taken.outcome, taken.problems) == (free.outcome, free.problems)
    assert [(problem["about"], problem["rule"]) for problem in taken.problems] == [("Parks", "ROCK-16")]
    assert len(ReviewItem.objects.get(pk=taken.review_id).against) == 2


def test_crew_may_not_record_bikes_of_another_group(ride: Ride, add_turn) -> None:
    with pytest.raises(NotAllowed):
        add_turn(5, 1, make_paper_turn("chance", 20))
    with pytest.raises(NotAllowed):
        add_turn(5, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom), takes_over=True)
    assert not Operation.objects.exists()


def test_a_road_captain_takes_over_and_the_log_says_so(ride: Ride, add_turn) -> None:
    add_turn(5, 1, make_paper_turn("chance", 20), takes_over=True, reason="Gus has a flat")

    entry = Entry.objects.get()
    assert '"takes_over":true' in entry.body
    assert OperationReason.objects.get().text == "Gus has a flat"
    assert "Gus has a flat" not in entry.body


def test_an_unknown_bike_is_an_unknown_target(ride: Ride) -> None:
    turn = TurnInput(ride.contest.pk, uuid4(), ride.slots[0].pk, make_paper_turn("chance", 20))
    with pytest.raises(UnknownTarget):
        record_turn(make_actor(ride.rita), uuid4(), turn)
    assert not Operation.objects.exists()


def test_the_first_card_freezes_options_and_slots(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    ride.contest.refresh_from_db()
    assert ride.contest.frozen_at is not None


def test_a_turn_on_a_sealed_card_goes_to_review_as_late(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    Chain.objects.update(is_sealed=True)

    assert add_turn(1, 2, make_paper_turn("fives", 10)).outcome == "late"
    assert add_turn(1, 3, make_paper_turn("sixes", 12), by=desk, reason="found in a pocket").outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (3, "sixes", 12)]


@pytest.mark.django_db(transaction=True)
def test_recording_takes_seven_statements_with_the_device(ride: Ride, add_turn, rf) -> None:
    for slot, box in enumerate(("chance", "aces", "twos"), 1):
        add_turn(1, slot, make_paper_turn(box, 0) if box != "chance" else make_paper_turn(box, 20))
    _, token = create_device(ride.rita)
    dice = ride.group_one.dice_sets.first()
    assert dice is not None
    turn = TurnInput(
        ride.contest.pk, ride.bikes[1].pk, ride.slots[3].pk, make_final_turn([6, 6, 6, 6, 6], "yahtzee"), dice.pk
    )
    request = rf.get("/")
    request.COOKIES[DEVICE_COOKIE] = token

    with CaptureQueriesContext(connection) as queries:
        device = get_device(request)
        assert device is not None
        record_turn(Actor.from_device(device), uuid4(), turn)

    assert list_statements(queries) == [
        "SELECT crew_device",
        "SELECT scorecards_seat",  # with the bike, the dice set and the chain, which it locks
        "INSERT scorecards_operation",
        "INSERT scorecards_entry",
        "INSERT scorecards_chain",  # it exists, so its row is updated
        "INSERT scorecards_turn",
        "INSERT scorecards_outdated",
    ]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE scorecards_entry SET body = '{}'", "DELETE FROM scorecards_entry", "DELETE FROM scorecards_operation"],
)
def test_the_database_refuses_to_change_or_delete_an_entry_or_to_delete_an_operation(add_turn, statement: str) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    with pytest.raises(DatabaseError, match="never"), transaction.atomic():
        connection.cursor().execute(statement)
    assert (Entry.objects.count(), Operation.objects.count()) == (1, 1)


@pytest.mark.sqlite
@pytest.mark.parametrize(("model", "left_out"), [(Entry, ""), (Entry, "id"), (Operation, "")])
def test_sqlite_refuses_to_replace_an_entry_or_an_operation(
    add_turn, model: type[Entry | Operation], left_out: str
) -> None:
    """No delete trigger fires for a row that is replaced, by its id or by its position in the chain."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    columns = [field.column or "" for field in model._meta.concrete_fields if field.column != left_out]
    names, table, before = ", ".join(columns), model._meta.db_table, list(model.objects.values())

    with pytest.raises(DatabaseError, match="never"), transaction.atomic():
        connection.cursor().execute(f"INSERT OR REPLACE INTO {table} ({names}) SELECT {names} FROM {table}")
    assert list(model.objects.values()) == before


@pytest.mark.postgres
@pytest.mark.django_db
def test_postgresql_guards_also_fire_in_replication_mode() -> None:
    """Only a superuser can switch to replication mode, so the test reads the triggers' settings from the catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, tgenabled FROM pg_trigger WHERE tgname ~ '_(append_only|no_truncate)$'"
        )
        enabled = sorted(cursor.fetchall())
    guarded = ("events_deletedevent", "scorecards_entry", "scorecards_operation", "standings_revision")
    assert enabled == [(table, "A") for table in guarded for _guard in ("append-only", "no truncate")]  # A: always


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("statement", ["TRUNCATE scorecards_entry", "TRUNCATE events_event CASCADE"])
def test_postgresql_refuses_to_truncate_the_log(add_turn, statement: str) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    with pytest.raises(DatabaseError, match="never"):
        connection.cursor().execute(statement)
    assert Entry.objects.count() == 1
