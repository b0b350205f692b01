"""Recording actions at a table: which count, which are merged, and which go to review."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_actions_are_played_in_the_order_they_were_recorded(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")

    assert [add_action(card, action).outcome for action in (make_throw(6, 6), BANK, make_throw(5))] == ["recorded"] * 3

    (pig_contest,) = fetch_table(card).state.seats
    assert (pig_contest.banked, pig_contest.thrown, pig_contest.throws) == (12, 5, 2)
    assert [one.actions[0]["type"] for one in fetch_table(card).turns.values()] == ["throw", "bank", "throw"]


def test_two_phones_that_record_the_same_action_record_it_once(
    ride: Ride, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6), by=make_actor(ride.rita), seen=1)

    receipt = add_action(card, make_throw(6, 6), by=make_actor(ride.tom), seen=1)

    assert receipt.outcome == "merged"
    assert len(fetch_table(card).list_played_turns()) == 1


def test_the_same_throw_can_be_recorded_twice_if_the_first_was_seen(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6))

    assert add_action(card, make_throw(6)).outcome == "recorded"
    assert len(fetch_table(card).list_played_turns()) == 2


def test_an_action_that_is_behind_goes_to_review(
    ride: Ride, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6), by=make_actor(ride.rita), seen=1)

    receipt = add_action(card, make_throw(5), by=make_actor(ride.tom), seen=1)

    assert receipt.outcome == "conflict"
    assert ReviewItem.objects.get().reason == "stale"
    assert fetch_table(card).length == 2


def test_a_forbidden_action_goes_to_review_with_its_clause(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")

    receipt = add_action(card, BANK)

    assert receipt.outcome == "refused"
    assert [problem["rule"] for problem in receipt.problems] == ["PIG-2"]
    assert fetch_table(card).length == 1


def test_an_unreadable_action_goes_to_review_as_it_was_sent(add_table: AddTable, add_action: AddAction) -> None:
    receipt = add_action(add_table("Ann"), {"type": "throw", "dice": [7]})

    assert receipt.outcome == "refused"
    assert ReviewItem.objects.get().operation.body["actions"] == [{"type": "throw", "dice": [7]}]


def test_after_closing_only_the_organisers_actions_with_a_reason_count(
    ride: Ride, pig_contest: Contest, desk: Actor, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    close_contest(desk, uuid4(), pig_contest.pk, "over")

    assert add_action(card, make_throw(6), by=make_actor(ride.rita)).outcome == "late"
    assert add_action(card, make_throw(6)).outcome == "late"
    new_action = NewAction(card, fetch_table(card).length, [make_throw(6)], "it was thrown before the bell")
    assert record_action(desk, uuid4(), new_action).outcome == "recorded"


def test_all_actions_of_a_revoked_phone_go_to_review(
    ride: Ride, desk: Actor, add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    """They depend on each other, and none of them is in the log."""
    card, rita = add_table("Ann"), replace(make_actor(ride.rita), needs_review=True)

    receipts = [
        add_action(card, action, by=rita, seen=seen) for seen, action in enumerate((make_throw(6, 6), BANK), start=1)
    ]

    assert [receipt.outcome for receipt in receipts] == ["review", "review"]
    assert fetch_table(card).length == 1
    for receipt in receipts:
        assert receipt.review_id is not None
        decide_review(desk, uuid4(), receipt.review_id, "apply", "I saw it")
    assert fetch_table(card).state.seats[0].banked == 12


def test_a_phone_that_has_seen_more_than_the_log_is_told_to_retry(add_table: AddTable, add_action: AddAction) -> None:
    with pytest.raises(UnknownTarget):
        add_action(add_table("Ann"), make_throw(6), seen=2)


def test_an_unknown_table_is_rejected_for_a_retry(desk: Actor, pig_contest: Contest) -> None:
    with pytest.raises(UnknownTarget):
        record_action(desk, uuid4(), NewAction(uuid4(), 0, [make_throw(6)]))


def test_crew_of_another_event_cannot_record_here(
    other_event: Event, add_table: AddTable, add_action: AddAction
) -> None:
    with pytest.raises(NotAllowed):
        add_action(add_table("Ann"), make_throw(6), by=Actor(uuid4(), other_event.pk, uuid4()), seen=1)


def test_an_operation_counts_once_and_its_id_belongs_to_its_body(
    desk: Actor, add_table: AddTable, fetch_table: ReadTable
) -> None:
    card, operation = add_table("Ann"), uuid4()
    first = record_action(desk, operation, NewAction(card, 1, [make_throw(6)]))

    assert record_action(desk, operation, NewAction(card, 1, [make_throw(6)])) == first
    with pytest.raises(IdReused):
        record_action(desk, operation, NewAction(card, 1, [make_throw(5)]))
    assert fetch_table(card).length == 2


@pytest.mark.parametrize("played", [1, 20])
def test_recording_an_action_takes_five_queries_however_long_the_log(
    add_table: AddTable, add_action: AddAction, desk: Actor, played: int, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # so that the contest's rules are cached
        card = add_table("Ann")
        for _ in range(played):
            add_action(card, make_throw(1))

    with CaptureQueriesContext(connection) as statements:
        record_action(desk, uuid4(), NewAction(card, played + 1, [make_throw(2)]))

    assert list_statements(statements) == [
        "SELECT scorecards_scorecard",  # joined with the chain, which it locks
        "INSERT scorecards_operation",
        "INSERT scorecards_entry",
        "INSERT scorecards_chain",  # an upsert: the row exists, so it is updated
        "INSERT scorecards_outdated",
    ]


def test_a_damaged_log_opens_as_far_as_it_can_be_played(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6))
    add_action(card, make_throw(5))
    entry = Entry.objects.get(chain_id=card, seq=3)
    body = json.loads(entry.body) | {"seq": 4, "op": str(uuid4()), "actions": [{"seat": 0, "type": "fly"}]}
    Entry.objects.create(
        chain_id=card, seq=4, operation=entry.operation, kind="record", body=json.dumps(body), hash="", at=entry.at
    )

    table = fetch_table(card)

    assert len(table.list_played_turns()) == 2
    assert table.invalid_action is not None
    assert table.state.seats[0].thrown == 11
