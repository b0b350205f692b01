"""Merging bikes that have seats at tables."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4, uuid5

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.services.bike_operations import CannotMerge, merge_bikes
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.leaderboard import get_leaderboard, get_live_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import TableOperationError, create_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.table_fixtures import BANK, AddAction, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Card = Callable[..., UUID]


@pytest.fixture(autouse=True)
def played_by_bikes(pig_contest: Contest, duel_contest: Contest) -> None:
    for contest in (pig_contest, duel_contest):
        contest.seats_are = Contest.SeatsAre.BIKES
        contest.save()


@pytest.fixture
def card(ride: Ride, pig_contest: Contest, desk: Actor) -> Card:
    """Create a table for a bike, by its number."""

    def make(number: int) -> UUID:
        operation = uuid4()
        create_tables(desk, operation, pig_contest.pk, [[ride.bikes[number].pk]])
        return uuid5(operation, "0")

    return make


def merge(ride: Ride, desk: Actor, number: int, into: int) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[number].pk, ride.bikes[into].pk, "one machine")


def list_rows(pig_contest: Contest) -> list[tuple[str, int]]:
    return [(row.number, row.total) for row in get_live_leaderboard(pig_contest).rows]


def test_the_seat_of_a_merged_bike_passes_to_the_other_bike(
    ride: Ride, pig_contest: Contest, desk: Actor, card: Card, add_action: AddAction, fetch_table: ReadTable
) -> None:
    table = card(1)
    add_action(table, make_throw(5, 5))
    refresh_standings(pig_contest.pk)

    merge(ride, desk, 1, 2)
    refresh_standings(pig_contest.pk)

    assert fetch_table(table).entrants == (ride.bikes[2],)
    assert Seat.objects.get(card_id=table).bike == ride.bikes[2]
    assert list_rows(pig_contest) == [("2", 1)]
    assert list(list_damage(ride.event)) == []

    unmerge_bikes(desk, uuid4(), ride.bikes[1].pk, "two after all")
    refresh_standings(pig_contest.pk)

    assert fetch_table(table).entrants == (ride.bikes[1],)
    assert Seat.objects.get(card_id=table).bike == ride.bikes[1]
    assert list_rows(pig_contest) == [("1", 1)]
    assert list(list_damage(ride.event)) == []


def test_the_pages_of_a_table_work_after_a_merge(
    ride: Ride, pig_contest: Contest, desk: Actor, organiser: Client, card: Card, add_action: AddAction
) -> None:
    table = card(1)
    add_action(table, make_throw(5, 5))

    merge(ride, desk, 1, 2)

    for page in ("desk_table", "desk_history"):
        response = organiser.get(reverse(f"tables:{page}", args=[ride.event.slug, table]))
        assert response.status_code == 200
        assert "Bike 2" in get_page_text(response)
    assert add_action(table, make_throw(4)).outcome == "recorded"


def test_a_seat_passes_on_through_several_merges(ride: Ride, desk: Actor, card: Card, fetch_table: ReadTable) -> None:
    table = card(1)

    merge(ride, desk, 1, 2)
    merge(ride, desk, 2, 3)

    assert fetch_table(table).entrants == (ride.bikes[3],)
    assert [entry.kind for entry in Entry.objects.filter(chain_id=table).order_by("seq")] == [
        "deal",
        "reseat",
        "reseat",
    ]


def test_two_bikes_with_tables_are_not_merged_and_nothing_is_saved(
    ride: Ride, pig_contest: Contest, desk: Actor, card: Card
) -> None:
    card(1), card(2)
    record_turn(
        desk, uuid4(), TurnInput(ride.contest.pk, ride.bikes[1].pk, ride.slots[0].pk, make_paper_turn("fives", 10))
    )
    before = (Entry.objects.count(), Scorecard.objects.count())

    with pytest.raises(CannotMerge) as refused:
        merge(ride, desk, 1, 2)

    messages = [str(explain("", problem)) for problem in refused.value.problems]
    assert messages == ["Both have a table in Pig race. Remove one of the tables first."]
    assert (Entry.objects.count(), Scorecard.objects.count()) == before
    assert Bike.objects.get(pk=ride.bikes[1].pk).merged_into is None


def test_once_one_of_the_tables_is_withdrawn_they_are_merged(
    ride: Ride, desk: Actor, card: Card, fetch_table: ReadTable
) -> None:
    first, second = card(1), card(2)
    withdraw_table(desk, uuid4(), second, "the same machine")

    merge(ride, desk, 1, 2)

    assert fetch_table(first).entrants == (ride.bikes[2],)


def test_a_bike_with_a_seat_from_a_merge_gets_no_second_table(ride: Ride, desk: Actor, card: Card) -> None:
    card(1)
    merge(ride, desk, 1, 2)

    with pytest.raises(TableOperationError) as refused:
        card(2)

    assert [problem["code"] for problem in refused.value.problems] == ["on_another_card"]


def test_merging_bikes_without_tables_creates_none(ride: Ride, desk: Actor, pig_contest: Contest, card: Card) -> None:
    table = card(3)

    merge(ride, desk, 1, 2)

    assert list(Scorecard.objects.filter(contest=pig_contest).values_list("pk", flat=True)) == [table]


def test_where_several_tables_are_allowed_both_bikes_may_have_one(
    ride: Ride, duel_contest: Contest, desk: Actor
) -> None:
    create_tables(desk, uuid4(), duel_contest.pk, [[ride.bikes[number].pk, ride.bikes[3].pk] for number in (1, 2)])

    merge(ride, desk, 1, 2)

    assert Seat.objects.filter(contest=duel_contest, bike=ride.bikes[2]).count() == 2


def test_two_bikes_at_the_same_table_are_not_merged(ride: Ride, duel_contest: Contest, desk: Actor) -> None:
    create_tables(desk, uuid4(), duel_contest.pk, [[ride.bikes[1].pk, ride.bikes[2].pk]])

    with pytest.raises(CannotMerge) as refused:
        merge(ride, desk, 1, 2)

    messages = [str(explain("", problem)) for problem in refused.value.problems]
    assert messages == ["Both are at the same table in Pig duel. Remove that table first."]


def test_a_revision_keeps_the_bike_unmerged_and_needs_a_new_revision(
    ride: Ride, pig_contest: Contest, desk: Actor, card: Card, add_action: AddAction
) -> None:
    table = card(1)
    for action in (make_throw(6, 4), make_throw(5, 5), BANK):
        add_action(table, action)
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), pig_contest.pk)

    merge(ride, desk, 1, 2)

    pig_contest.refresh_from_db()
    board = get_leaderboard(pig_contest)
    assert [row.entrant_id for row in board.rows] == [ride.bikes[1].pk]
    assert board.needs_revision
    assert list(list_damage(ride.event)) == []
    publish_contest(desk, uuid4(), pig_contest.pk)
    assert [row.entrant_id for row in get_leaderboard(pig_contest).rows] == [ride.bikes[2].pk]
