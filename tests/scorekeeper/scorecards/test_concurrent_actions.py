"""Several phones at one table at the same time, with real commits and real locks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from uuid import uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.bike_operations import CannotMerge, merge_bikes
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.tables.services import TableOperationError, create_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once, check_chains
from tests.scorekeeper.table_fixtures import AddTable, ReadTable, make_throw

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_different_concurrent_actions_one_counts_and_the_others_go_to_review(
    desk: Actor, add_table: AddTable, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    new_actions = [NewAction(card, 1, [make_throw(face)]) for face in (2, 3, 4, 5)]

    receipts = at_once([partial(record_action, desk, uuid4(), new_action) for new_action in new_actions])

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "conflict": 3}
    assert ReviewItem.objects.count() == 3
    assert len(fetch_table(card).list_played_turns()) == 1
    check_chains()


def test_the_same_concurrent_action_from_four_phones_counts_once(
    desk: Actor, add_table: AddTable, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    new_action = NewAction(card, 1, [make_throw(2)])

    receipts = at_once([lambda: record_action(desk, uuid4(), new_action)] * 4)

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "merged": 3}
    assert len(fetch_table(card).list_played_turns()) == 1


def test_concurrent_requests_create_one_table_for_the_same_player(
    desk: Actor, pig_contest: Contest, people: Mapping[str, Player]
) -> None:
    def create() -> str:
        try:
            return create_tables(desk, uuid4(), pig_contest.pk, [[people["Ann"].pk]]).outcome
        except TableOperationError:
            return "has one"

    assert sorted(at_once([create] * 3)) == ["has one", "has one", "recorded"]
    assert Scorecard.objects.filter(contest=pig_contest).count() == 1


def test_a_concurrent_action_and_closing_see_each_other(
    desk: Actor, pig_contest: Contest, add_table: AddTable, fetch_table: ReadTable
) -> None:
    card = add_table("Ann")
    new_action = NewAction(card, 1, [make_throw(2)])

    receipts = at_once(
        [lambda: record_action(desk, uuid4(), new_action), lambda: close_contest(desk, uuid4(), pig_contest.pk, "x")]
    )

    assert receipts[0].outcome in ("recorded", "late")
    assert fetch_table(card).is_sealed
    assert len(fetch_table(card).list_played_turns()) == (receipts[0].outcome == "recorded")
    check_chains()


def test_a_bike_merged_while_the_other_gets_a_table_has_one_table(
    ride: Ride, pig_contest: Contest, desk: Actor
) -> None:
    pig_contest.seats_are = Contest.SeatsAre.BIKES
    pig_contest.save()
    first, second = ride.bikes[1].pk, ride.bikes[2].pk
    create_tables(desk, uuid4(), pig_contest.pk, [[first]])

    def merge() -> str:
        try:
            return merge_bikes(desk, uuid4(), first, second, "one machine").outcome
        except CannotMerge:
            return "both sit"

    def create() -> str:
        try:
            return create_tables(desk, uuid4(), pig_contest.pk, [[second]]).outcome
        except TableOperationError:
            return "has one"

    assert sorted(at_once([merge, create])) in (["both sit", "recorded"], ["has one", "recorded"])
    assert Seat.objects.filter(contest=pig_contest, bike_id=second).count() == 1
    check_chains()
