"""Closing, refreshing and publishing while others write: in threads, with real commits and locks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from uuid import uuid4

import pytest

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import RosterFixed
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, ReviewItem, StaleCard
from scorekeeper.players.services import add_bike, delete_bike
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.contest_chain import WrongContestStatus
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once, make_record_call

pytestmark = pytest.mark.django_db(transaction=True)


def test_turns_recorded_during_closing_either_count_or_go_to_review(ride: Ride, add_turn, desk: Actor) -> None:
    """Each turn counts or goes to review as late; a card created too late starts sealed; nothing deadlocks."""
    rita = make_actor(ride.rita)
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("fives", 5))
    calls = [
        make_record_call(ride, rita, number, slot, 10 + number, uuid4()) for number in (1, 2, 3, 4) for slot in (2, 3)
    ]

    receipts = at_once([*calls, lambda: close_contest(desk, uuid4(), ride.contest.pk, "over")])

    outcomes = [receipt.outcome for receipt in receipts[:-1]]
    assert set(outcomes) <= {"recorded", "late", "refused"}
    assert ReviewItem.objects.count() == len(calls) - outcomes.count("recorded")
    assert set(Chain.objects.filter(kind="card").values_list("is_sealed", flat=True)) == {True}
    for card in Turn.objects.values_list("card", flat=True).distinct():
        assert Turn.objects.filter(card=card).count() == 5
    assert list(list_damage(ride.event)) == []


def test_bikes_added_and_deleted_during_closing_are_in_its_list_or_refused(ride: Ride, desk: Actor) -> None:
    def add(number: int) -> bool:
        with suppress(RosterFixed):
            return bool(add_bike(ride.event, number=number))
        return False

    def delete(number: int) -> bool:
        with suppress(RosterFixed):
            delete_bike(ride.bikes[number])
            return True
        return False

    changes: list[Callable[[], object]] = [
        *(partial(add, number) for number in (51, 52, 53)),
        lambda: close_contest(desk, uuid4(), ride.contest.pk, "over").outcome == "recorded",
        *(partial(delete, number) for number in (6, 7, 8)),
    ]

    done = at_once(changes)

    assert done[3] is True
    numbers = set(Bike.objects.values_list("number", flat=True))
    assert [number in numbers for number in (51, 52, 53)] == done[:3]
    assert [number not in numbers for number in (6, 7, 8)] == done[4:]
    assert list(list_damage(ride.event)) == []


def test_concurrent_closing_counts_once(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 9))

    def close() -> str:
        try:
            return close_contest(desk, uuid4(), ride.contest.pk, "over").outcome
        except WrongContestStatus:
            return "already closed"

    assert sorted(at_once([close, close, close])) == ["already closed", "already closed", "recorded"]


def test_concurrent_workers_and_writers_end_with_the_same_standings(ride: Ride, add_turn) -> None:
    rita = make_actor(ride.rita)
    add_turn(1, 5, make_paper_turn("aces", 1))
    calls = [make_record_call(ride, rita, number, slot, 8 + number, uuid4()) for number in (1, 2) for slot in (1, 2)]

    at_once([*calls, *[lambda: refresh_standings(ride.contest.pk)] * 3])
    refresh_standings(ride.contest.pk)

    assert not StaleCard.objects.exists()
    board = [row.to_data() for row in get_live_leaderboard(ride.contest).rows if row.is_ranked]
    assert board == [row.to_data() for row in fold_report(ride.contest).rows]


def test_publishing_while_late_entries_arrive_freezes_a_consistent_state(ride: Ride, add_turn, desk: Actor) -> None:
    rita = make_actor(ride.rita)
    add_turn(1, 1, make_paper_turn("chance", 9))
    close_contest(desk, uuid4(), ride.contest.pk, "over")
    calls = [make_record_call(ride, rita, number, 2, 10 + number, uuid4()) for number in (1, 2, 3, 4)]

    at_once([*calls, lambda: publish_contest(desk, uuid4(), ride.contest.pk, "the hall closes")])

    assert list(list_damage(ride.event)) == []
