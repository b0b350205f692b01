"""A phone's queue, sent in one request: each operation gets a receipt, and none blocks another."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.api.conftest import Send, list_outcomes, post
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.table_fixtures import AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_receipt_contains_the_entry_with_its_hash_and_the_response_the_time(
    ride: Ride, crew_client, turn_operation
) -> None:
    one = turn_operation(1, 1, "chance", 20)

    response = post(crew_client(ride.rita), {"operations": [one]})

    chain = Chain.objects.get(pk=get_bike_card(ride, ride.bikes[1]).pk)
    entries = [{"chain": str(chain.pk), "seq": 1, "hash": chain.head}]
    answer = response.json()
    assert answer["receipts"] == [
        {"id": one["id"], "outcome": "recorded", "entries": entries, "review": None, "problems": []}
    ]
    assert parse_datetime(answer["server_time"]) is not None
    assert response.headers["Cache-Control"] == "private, no-store"


def test_a_whole_queue_is_recorded_in_order(ride: Ride, send: Send, turn_operation) -> None:
    operations = [
        turn_operation(bike, slot, box, 10) for slot, box in [(1, "fives"), (2, "chance")] for bike in (1, 2, 3)
    ]

    receipts = send(*operations)

    assert [receipt["id"] for receipt in receipts] == [operation["id"] for operation in operations]
    assert list_outcomes(receipts) == ["recorded"] * 6
    assert list_bike_turns(ride, 2) == [(1, "fives", 10), (2, "chance", 10)]


def test_later_operations_see_the_results_of_earlier_ones(ride: Ride, send: Send, turn_operation) -> None:
    """ROCK-16: a box is used once. ROCK-14: the order of the slots counts, not that of the queue."""
    send(turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "aces", 3))

    receipts = send(
        turn_operation(1, 3, "yahtzee", 100),
        turn_operation(1, 3, "yahtzee", 50),
        turn_operation(1, 2, "chance", 20),
        turn_operation(1, 4, "chance", 20),
        turn_operation(1, 2, "chance", 20),
        turn_operation(1, 2, "chance", 21),
        turn_operation(2, 2, "chance", 20),
    )

    assert list_outcomes(receipts) == ["refused", "recorded", "recorded", "refused", "merged", "conflict", "recorded"]
    assert list_bike_turns(ride, 1) == [(1, "aces", 3), (2, "chance", 20), (3, "yahtzee", 50)]


def test_every_problem_has_its_clause_and_a_link_to_it(send: Send, turn_operation) -> None:
    (receipt,) = send(turn_operation(1, 1, "chance", 3))

    assert receipt["outcome"] == "refused"
    assert receipt["review"]
    (problem,) = receipt["problems"]
    assert problem["rule"] == "ROCK-29"
    assert problem["message"]
    assert problem["href"] == "/rules/rock-yahtzee/#ROCK-29"
    assert (problem["clause"], problem["field"]) == ("ROCK-29", "points")


def test_a_problem_without_a_clause_or_a_field_has_null_for_it(send: Send, turn_operation) -> None:
    (receipt,) = send({**turn_operation(1, 1, "aces", 3), "bike": "57"})

    (problem,) = receipt["problems"]
    assert (problem["clause"], problem["field"], problem["rule"]) == (None, None, "")


def test_entries_after_the_closing_are_late(ride: Ride, send: Send, turn_operation, desk: Actor) -> None:
    send(turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "aces", 3))
    close_contest(desk, uuid4(), ride.contest.pk, "over")

    assert list_outcomes(send(turn_operation(1, 2, "chance", 20), turn_operation(2, 2, "chance", 20))) == [
        "late",
        "late",
    ]


def test_the_same_queue_again_gets_the_same_receipts(ride: Ride, send: Send, turn_operation) -> None:
    send(turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "aces", 3))
    operations = [
        turn_operation(1, 2, "chance", 20),
        turn_operation(2, 2, "chance", 20),
        turn_operation(1, 3, "chance", 21),
    ]
    first = send(*operations)

    assert send(*operations) == first
    assert send(*reversed(operations)) == first[::-1]
    assert Operation.objects.count() == 5


@pytest.mark.parametrize("has_card", [True, False])
def test_duplicates_in_a_queue_count_once(ride: Ride, send: Send, turn_operation, has_card: bool) -> None:
    if has_card:
        send(turn_operation(1, 1, "aces", 3))
    one = turn_operation(1, 2, "chance", 20)
    other = {**one, "actions": [{"type": "paper", "box": "fives", "points": 20}]}

    receipts = send(one, one, other, one)

    assert list_outcomes(receipts) == ["recorded", "recorded", "other_body", "recorded"]
    assert receipts[0] == receipts[1] == receipts[3]
    assert [turn_operation[1:] for turn_operation in list_bike_turns(ride, 1) if turn_operation[0] == 2] == [
        ("chance", 20)
    ]


def test_the_same_id_with_another_body_is_refused(send: Send, turn_operation) -> None:
    one = turn_operation(1, 1, "chance", 20)
    send(one)

    receipts = send({**one, "slot": turn_operation(1, 2, "aces", 1)["slot"]}, turn_operation(1, 3, "aces", 1))

    assert list_outcomes(receipts) == ["other_body", "recorded"]
    assert receipts[0]["id"] == one["id"]
    assert "under the same ID" in receipts[0]["problems"][0]["message"]


@pytest.mark.parametrize(
    ("bad", "outcome"),
    [
        ({"kind": "dance"}, "unreadable"),
        ({"kind": ["turn"]}, "unreadable"),
        ({"kind": None}, "unreadable"),
        ({"id": "7"}, "unreadable"),
        ({"id": 7}, "unreadable"),
        ({"id": "0" * 36}, "unreadable"),
        ({"id": "0f8fad5b-d9cb-569f-a165-70867728950e"}, "unreadable"),  # version 5, which only the server derives
        ({"bike": None}, "unreadable"),
        ({"slot": {}}, "unreadable"),
        ({"actions": "paper"}, "unreadable"),
        ({"actions": ["paper"]}, "unreadable"),
        ({"actions": [{}] * 101}, "unreadable"),
        ({"actions": [{"type": "paper", "points": 10**30}]}, "unreadable"),
        ({"actions": [{"type": "paper", "points": 1e300}]}, "unreadable"),
        ({"actions": [{"type": "\0"}]}, "unreadable"),
        ({"actions": [{"type": "\ud800"}]}, "unreadable"),
        ({"actions": [{"type": "x" * 40_000}]}, "unreadable"),
        ({"actions": [{"type": [[[[[[[[[[[[[[]]]]]]]]]]]]]]}]}, "unreadable"),
        ({"takes_over": 1}, "unreadable"),
        ({"reason": "x" * 201}, "unreadable"),
        ({"dice": [1, 2, 3]}, "unreadable"),
        ({"\0": 1}, "unreadable"),
        ({"bike": "0f8fad5b-d9cb-469f-a165-70867728950e"}, "not_yet"),
        ({"slot": "0f8fad5b-d9cb-469f-a165-70867728950e"}, "not_yet"),
        ({"contest": "0f8fad5b-d9cb-469f-a165-70867728950e"}, "not_yet"),
        ({"actions": []}, "refused"),
        ({"actions": [{"type": "paper", "box": "luck"}]}, "refused"),
        ({"actions": [{"type": {"a": 1}}]}, "refused"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_bad_operation_is_explained_and_blocks_no_other(
    ride: Ride, send: Send, turn_operation, bad: dict[str, Any], outcome: str, place: int
) -> None:
    send(turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "aces", 3), turn_operation(3, 1, "aces", 3))
    operations = [turn_operation(1, 2, "chance", 20), turn_operation(3, 2, "chance", 20)]
    operations.insert(place, {**turn_operation(2, 2, "chance", 20), **bad})

    receipts = send(*operations)

    assert receipts[place]["outcome"] == outcome
    assert receipts[place]["problems"][0]["message"]
    assert sorted(list_outcomes(receipts)) == sorted([outcome, "recorded", "recorded"])


@pytest.mark.parametrize("nothing", [None, 7, "turn", [], {}, True])
def test_a_value_that_is_not_an_operation_is_unreadable(send: Send, turn_operation, nothing: Any) -> None:
    receipts = send(nothing, turn_operation(1, 1, "aces", 3))

    assert list_outcomes(receipts) == ["unreadable", "recorded"]
    assert receipts[0]["id"] is None


def test_a_bike_of_another_group_is_not_yours_unless_it_is_taken_over(ride: Ride, send: Send, turn_operation) -> None:
    send(turn_operation(1, 1, "aces", 3))
    send(turn_operation(5, 1, "aces", 3), by=ride.gus)

    receipts = send(
        turn_operation(1, 2, "twos", 4),
        turn_operation(5, 2, "twos", 4),
        turn_operation(5, 3, "sixes", 6, takes_over=True),
    )

    assert list_outcomes(receipts) == ["recorded", "not_yours", "recorded"]


def test_crew_of_a_stop_send_turns_of_any_bike_there_and_of_their_group_elsewhere(
    ride: Ride, send: Send, turn_operation
) -> None:
    ride.tom.any_bike_at.add(ride.stops[3])
    turns = [turn_operation(5, slot, "chance", 20) for slot in (3, 4)]

    assert list_outcomes(send(*turns, turn_operation(1, 3, "aces", 3), by=ride.tom)) == [
        "not_yours",
        "recorded",
        "recorded",
    ]
    assert list_outcomes(send(turn_operation(6, 4, "chance", 20), by=ride.sue)) == ["not_yours"]


def test_the_stops_of_the_crew_are_read_once_for_a_whole_queue(ride: Ride, send: Send, turn_operation) -> None:
    ride.tom.any_bike_at.add(ride.stops[3])
    send(turn_operation(1, 4, "aces", 3), by=ride.tom)

    with CaptureQueriesContext(connection) as queries:
        receipts = send(*(turn_operation(number, 4, "chance", 20) for number in (5, 6, 7, 8)), by=ride.tom)

    assert list_outcomes(receipts) == ["recorded"] * 4
    assert sum("any_bike_at" in query["sql"] for query in queries) == 1


def test_a_walk_up_is_registered_and_gets_a_turn_in_one_queue(ride: Ride, send: Send, turn_operation) -> None:
    bike = str(uuid4())
    walk_up = {"id": str(uuid4()), "kind": "register_bike", "bike": bike, "number": 3, "rider": "Ida", "make": "BMW"}

    receipts = send(
        {**turn_operation(1, 1, "aces", 3), "bike": bike},
        walk_up,
        {**turn_operation(1, 1, "aces", 3), "bike": bike},
        walk_up,
    )

    assert list_outcomes(receipts) == ["not_yet", "recorded", "recorded", "recorded"]
    assert receipts[1]["data"] == {"bike": bike, "number": 3, "suffix": 2}
    registered = Bike.objects.get(pk=bike)
    assert (registered.group, registered.is_walk_up, registered.players.get().name) == (ride.group_one, True, "Ida")


def test_corrections_moves_and_retirements_are_recorded_in_order(ride: Ride, send: Send, turn_operation) -> None:
    turn = turn_operation(1, 1, "chance", 20)
    about = {name: turn[name] for name in ("contest", "bike")}
    paper = [{"type": "paper", "box": "fives", "points": 15}]

    def make(kind: str, **more: Any) -> dict[str, Any]:
        return {"id": str(uuid4()), "kind": kind, **about, "reason": "read wrongly", **more}

    receipts = send(
        turn,
        turn_operation(1, 2, "aces", 3),
        make("amend", targets=[{"turn": turn["id"], "seq": 1, "actions": paper}]),
        make("amend", targets=[{"turn": turn["id"], "seq": 1, "actions": paper}]),
        make("amend", targets=[{"turn": turn["id"], "seq": 3, "actions": None}], reason=" "),
        make("amend", targets=[]),
        make("amend", targets=[{"turn": turn["id"], "seq": True}]),
        make("move", to_bike=str(ride.bikes[2].pk), turn=turn["id"], seq=3),
        turn_operation(2, 2, "chance", 20),
        make("retire"),
        turn_operation(1, 3, "chance", 20),
    )

    outcomes = ["recorded"] * 3 + ["conflict", "unreadable", "unreadable", "unreadable"] + ["recorded"] * 4
    assert list_outcomes(receipts) == outcomes
    assert "needs a reason" in receipts[4]["problems"][0]["message"]
    assert list_bike_turns(ride, 1) == [
        (2, "aces", 3),
        (3, "chance", 20),
    ]  # recorded late, but rolled before it retired
    assert list_bike_turns(ride, 2) == [(1, "fives", 15), (2, "chance", 20)]


def test_a_move_to_the_same_bike_is_not_sent_again_and_the_rest_is_recorded(
    ride: Ride, send: Send, turn_operation
) -> None:
    turn = turn_operation(1, 1, "chance", 20)
    about = {name: turn[name] for name in ("contest", "bike")}
    move = {"id": str(uuid4()), "kind": "move", **about, "to_bike": turn["bike"], "turn": turn["id"], "seq": 1}

    receipts = send(turn, {**move, "reason": "wrong bike"}, turn_operation(2, 1, "chance", 20))

    assert list_outcomes(receipts) == ["recorded", "unreadable", "recorded"]
    assert receipts[1]["problems"][0]["message"] == "The turn is on this bike already. Choose another bike."


def test_a_queue_for_a_contest_that_was_closed_before_anything_was_recorded_goes_to_review(
    ride: Ride, send: Send, turn_operation, desk: Actor
) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "nobody rolled")

    receipts = send(*(turn_operation(bike, 1, "chance", 20) for bike in (1, 2, 3)))

    assert list_outcomes(receipts) == ["late"] * 3
    assert all(receipt["review"] for receipt in receipts)
    assert not Turn.objects.exists()
    assert not Entry.objects.filter(chain__kind=Chain.Kind.CARD).exists()


def test_table_actions_and_turns_go_in_one_queue(
    ride: Ride, send: Send, turn_operation, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    ann, ben = add_table("Ann"), add_table("Ben")
    send(turn_operation(1, 1, "aces", 3))

    def make(card: Any, seen: int, action: dict[str, Any]) -> dict[str, Any]:
        return {"id": str(uuid4()), "kind": "action", "card": str(card), "seen": seen, "actions": [action]}

    thrown = make(ann, 1, make_throw(6, 6))
    correction = {"id": str(uuid4()), "kind": "correct", "card": str(ann), "reason": "read wrongly"}
    receipts = send(
        thrown,
        make(ben, 1, make_throw(2)),
        turn_operation(1, 2, "chance", 20),
        make(ann, 2, {"type": "bank"}),
        make(ann, 2, {"type": "bank"}),
        make(ann, 2, make_throw(1)),
        make(ann, 3, {"type": "bank"}),
        make(ann, 9, make_throw(5)),
        make(uuid4(), 1, make_throw(5)),
        make(ben, 2, make_throw(5)),
        {**correction, "targets": [{"turn": thrown["id"], "seq": 2, "actions": [make_throw(5, 5)]}]},
    )

    outcomes = ["recorded"] * 4 + ["merged", "conflict", "refused", "not_yet", "not_yet", "recorded", "recorded"]
    assert list_outcomes(receipts) == outcomes
    assert fetch_table(ann).state.seats[0].banked == 10
    assert fetch_table(ben).length == 3


def test_several_actions_at_a_table_are_corrected_in_one_operation(
    ride: Ride, send: Send, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    ann = add_table("Ann")
    for action in (make_throw(6, 6), {"type": "bank"}, make_throw(5)):
        add_action(ann, action)
    first, second, _third = fetch_table(ann).turns.values()
    voided = {"turn": str(second.id), "seq": second.seq}
    changed = {"turn": str(first.id), "seq": first.seq, "actions": [make_throw(1)]}
    operation = {"id": str(uuid4()), "kind": "correct", "card": str(ann), "reason": "a one, so nothing to bank"}

    (receipt,) = send({**operation, "targets": [voided, changed]})

    assert receipt["outcome"] == "recorded"
    assert fetch_table(ann).length == 5
    assert [one.actions[0]["type"] for one in fetch_table(ann).turns.values()] == ["throw", "throw"]


def test_a_table_is_not_a_scorecard_of_a_bike(
    ride: Ride, send: Send, turn_operation, pig_contest, add_table: AddTable
) -> None:
    add_table("Ann")
    retire = {"kind": "retire", "contest": str(pig_contest.pk), "bike": str(ride.bikes[1].pk)}
    send(turn_operation(1, 1, "aces", 3))
    card = str(get_bike_card(ride, ride.bikes[1]).pk)
    action = {"kind": "action", "card": card, "seen": 1, "actions": [make_throw(1)]}

    assert list_outcomes(send(*({"id": str(uuid4()), **one} for one in (retire, action, action)))) == ["not_yet"] * 3


def test_entries_for_a_withdrawn_walk_up_are_not_retried(ride: Ride, send: Send, turn_operation) -> None:
    send(turn_operation(1, 1, "aces", 3))
    bike, contest = str(uuid4()), str(ride.contest.pk)
    registered = {"id": str(uuid4()), "kind": "register_bike", "bike": bike, "number": 77}
    withdrawn = {"id": str(uuid4()), "kind": "withdraw_bike", "bike": bike}
    entered = {**turn_operation(1, 2, "twos", 2), "bike": bike}
    retired = {"id": str(uuid4()), "kind": "retire", "contest": contest, "bike": bike, "reason": "flat tyre"}
    (first,) = Turn.objects.all()
    where = {"contest": contest, "bike": str(ride.bikes[1].pk), "to_bike": bike, "turn": str(first.pk), "seq": 1}
    moved = {"id": str(uuid4()), "kind": "move", **where, "reason": "wrong bike"}

    receipts = send(registered, withdrawn, entered, retired, moved)

    assert list_outcomes(receipts) == ["recorded", "recorded", "withdrawn", "withdrawn", "withdrawn"]
    assert "This bike’s registration was undone." in receipts[2]["problems"][0]["message"]


def test_an_operation_of_another_event_is_not_yours(
    other_event: Event, ride: Ride, send: Send, turn_operation, add_table: AddTable, crew_client: CrewClient
) -> None:
    send(turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "aces", 3))
    card = add_table("Ann")
    group = ride.group_one
    group.event = other_event
    group.save()
    action = {"id": str(uuid4()), "kind": "action", "card": str(card), "seen": 1, "actions": [make_throw(1)]}

    assert (
        list_outcomes(send(turn_operation(1, 2, "twos", 2), turn_operation(2, 2, "twos", 2), action))
        == ["not_yours"] * 3
    )


@pytest.mark.slow
def test_five_hundred_operations_are_accepted_at_once(ride: Ride, send: Send, turn_operation) -> None:
    send(*(turn_operation(bike, 1, "aces", 3) for bike in (1, 2, 3, 4)))
    queue = [
        turn_operation(1 + n % 4, 2 + n % 4, ("twos", "threes", "fours", "fives")[n % 4], 60 - n % 4)
        for n in range(498)
    ]
    queue += [turn_operation(1, 5, "chance", 20), turn_operation(1, 4, "sixes", 12)]

    receipts = send(*queue)

    assert len(receipts) == 500
    assert set(list_outcomes(receipts[:498])) == {"refused"}
    assert list_outcomes(receipts[498:]) == ["recorded", "recorded"]


def test_a_queue_takes_as_many_statements_as_one_operation(ride: Ride, crew_client: CrewClient, turn_operation) -> None:
    phone, dice = crew_client(ride.rita), ride.group_one.dice_sets.first()
    assert dice is not None
    with CaptureQueriesContext(connection):
        post(phone, {"operations": [turn_operation(bike, 1, "aces", 3) for bike in (1, 2, 3, 4)]})
    queue = [
        turn_operation(bike, slot, box, points, dice_set=str(dice.pk))
        for slot, box, points in [(3, "sixes", 12), (2, "twos", 10), (4, "threes", 12)]
        for bike in (1, 2, 3, 4)
    ]

    with CaptureQueriesContext(connection) as queries:
        response = post(phone, {"operations": queue})

    assert set(list_outcomes(response.json()["receipts"])) == {"recorded"}
    statements = [name for name in list_statements(queries) if not name.startswith(("SELECT events", "SELECT stops"))]
    assert statements == [
        "SELECT crew_device",
        "SELECT scorecards_operation",
        "SELECT scorecards_scorecard",  # one that does not exist yet would be missing
        "SELECT scorecards_seat",
        "SELECT crew_diceset",
        "INSERT scorecards_operation",
        "INSERT scorecards_entry",
        "INSERT scorecards_chain",  # each exists, so its row is updated
        "INSERT scorecards_turn",
        "INSERT scorecards_outdated",
    ]
    assert Turn.objects.filter(dice_set=dice).count() == 12


def test_new_scorecards_are_inserted_with_the_queue(ride: Ride, crew_client: CrewClient, turn_operation) -> None:
    phone = crew_client(ride.rita)
    post(phone, {"operations": [turn_operation(1, 1, "aces", 3)]})  # the first card freezes the contest

    with CaptureQueriesContext(connection) as queries:
        response = post(phone, {"operations": [turn_operation(bike, 1, "aces", 3) for bike in (2, 3, 4)]})

    assert list_outcomes(response.json()["receipts"]) == ["recorded"] * 3
    statements = [name for name in list_statements(queries) if not name.startswith(("SELECT events", "SELECT stops"))]
    assert statements == [
        "SELECT crew_device",
        "SELECT scorecards_operation",
        "SELECT scorecards_scorecard",
        "SELECT bikes_bike",
        "SELECT scorecards_seat",
        "INSERT scorecards_operation",
        "INSERT scorecards_entry",
        "INSERT scorecards_chain",
        "INSERT scorecards_scorecard",
        "INSERT scorecards_seat",
        "INSERT scorecards_turn",
        "INSERT scorecards_outdated",
    ]


def test_refused_operations_change_no_scorecard(ride: Ride, send: Send, turn_operation) -> None:
    send(turn_operation(1, 1, "aces", 3), turn_operation(5, 1, "aces", 3, takes_over=True))
    cards = Chain.objects.filter(kind=Chain.Kind.CARD)
    before = dict(cards.values_list("pk", "head"))

    send(turn_operation(1, 2, "chance", 3), turn_operation(5, 2, "chance", 20), turn_operation(1, 1, "twos", 2))

    assert dict(cards.values_list("pk", "head")) == before
    assert Entry.objects.exclude(kind="review").count() == 2


def test_an_empty_queue_gets_no_receipts(send: Send) -> None:
    assert send() == []


def test_the_response_is_unescaped_utf_8(ride: Ride, crew_client, turn_operation) -> None:
    response = post(crew_client(ride.rita), {"operations": [{**turn_operation(1, 1, "aces", 3), "räder": 2}]})

    assert "räder" in response.content.decode()
    assert json.loads(response.content)["receipts"][0]["outcome"] == "unreadable"
