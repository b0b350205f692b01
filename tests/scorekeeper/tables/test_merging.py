"""Bikes that sit at tables, when two of them turn out to be one."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4, uuid5

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.explaining import explain
from scorekeeper.scorecards.models import Entry, Scorecard, Seat
from scorekeeper.scorecards.services.bikes import CannotMerge, merge_bikes
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.scorecards.services.unmerging import unmerge_bikes
from scorekeeper.standings.selectors.leaderboard import get_leaderboard, get_live_board
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.standings.services.publishing import publish_contest
from scorekeeper.tables.services.dealing import CannotDeal, deal_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import paper
from tests.scorekeeper.tables.conftest import BANK, Act, Look, throw

pytestmark = pytest.mark.django_db

Card = Callable[..., UUID]


@pytest.fixture(autouse=True)
def played_by_bikes(pig: Contest, duel: Contest) -> None:
    for contest in (pig, duel):
        contest.seats_are = Contest.SeatsAre.BIKES
        contest.save()


@pytest.fixture
def card(ride: Ride, pig: Contest, desk: Actor) -> Card:
    """Draw up a card for a bike, by its number."""

    def make(number: int) -> UUID:
        operation = uuid4()
        deal_tables(desk, operation, pig.pk, [[ride.bikes[number].pk]])
        return uuid5(operation, "0")

    return make


def merge(ride: Ride, desk: Actor, number: int, into: int) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[number].pk, ride.bikes[into].pk, "one machine")


def list_rows(pig: Contest) -> list[tuple[str, int]]:
    return [(row.number, row.total) for row in get_live_board(pig).rows]


def test_the_seat_of_a_merged_bike_is_that_of_the_bike_it_became(
    ride: Ride, pig: Contest, desk: Actor, card: Card, act: Act, look: Look
) -> None:
    table = card(1)
    act(table, throw(5, 5))
    follow_contest(pig.pk)

    merge(ride, desk, 1, 2)
    follow_contest(pig.pk)

    assert look(table).holders == (ride.bikes[2],)
    assert Seat.objects.get(card_id=table).bike == ride.bikes[2]
    assert list_rows(pig) == [("2", 1)]
    assert list(list_damage(ride.event)) == []

    unmerge_bikes(desk, uuid4(), ride.bikes[1].pk, "two after all")
    follow_contest(pig.pk)

    assert look(table).holders == (ride.bikes[1],)
    assert Seat.objects.get(card_id=table).bike == ride.bikes[1]
    assert list_rows(pig) == [("1", 1)]
    assert list(list_damage(ride.event)) == []


def test_the_pages_of_a_table_go_on_after_a_merge(
    ride: Ride, pig: Contest, desk: Actor, organiser: Client, card: Card, act: Act
) -> None:
    table = card(1)
    act(table, throw(5, 5))

    merge(ride, desk, 1, 2)

    for page in ("desk_table", "desk_history"):
        response = organiser.get(reverse(f"tables:{page}", args=[ride.event.slug, table]))
        assert response.status_code == 200
        assert "Bike 2" in text_of(response)
    assert act(table, throw(4)).outcome == "recorded"


def test_a_seat_goes_on_from_merge_to_merge(ride: Ride, desk: Actor, card: Card, look: Look) -> None:
    table = card(1)

    merge(ride, desk, 1, 2)
    merge(ride, desk, 2, 3)

    assert look(table).holders == (ride.bikes[3],)
    assert [entry.kind for entry in Entry.objects.filter(chain_id=table).order_by("seq")] == [
        "deal",
        "reseat",
        "reseat",
    ]


def test_two_that_both_sit_are_not_merged_and_nothing_is_written(
    ride: Ride, pig: Contest, desk: Actor, card: Card
) -> None:
    card(1), card(2)
    record_turn(desk, uuid4(), TurnNote(ride.contest.pk, ride.bikes[1].pk, ride.slots[0].pk, paper("fives", 10)))
    before = (Entry.objects.count(), Scorecard.objects.count())

    with pytest.raises(CannotMerge) as refused:
        merge(ride, desk, 1, 2)

    said = [str(explain("", problem)) for problem in refused.value.problems]
    assert said == ["Both sit at a table of Pig race; withdraw one of the cards first."]
    assert (Entry.objects.count(), Scorecard.objects.count()) == before
    assert Bike.objects.get(pk=ride.bikes[1].pk).merged_into is None


def test_once_one_of_the_cards_is_withdrawn_they_are_merged(ride: Ride, desk: Actor, card: Card, look: Look) -> None:
    first, second = card(1), card(2)
    withdraw_table(desk, uuid4(), second, "the same machine")

    merge(ride, desk, 1, 2)

    assert look(first).holders == (ride.bikes[2],)


def test_a_bike_that_sits_by_a_merge_gets_no_second_card(ride: Ride, desk: Actor, card: Card) -> None:
    card(1)
    merge(ride, desk, 1, 2)

    with pytest.raises(CannotDeal) as refused:
        card(2)

    assert [problem["code"] for problem in refused.value.problems] == ["on_another_card"]


def test_a_merge_of_bikes_at_no_table_draws_up_none(ride: Ride, desk: Actor, pig: Contest, card: Card) -> None:
    table = card(3)

    merge(ride, desk, 1, 2)

    assert list(Scorecard.objects.filter(contest=pig).values_list("pk", flat=True)) == [table]


def test_where_everybody_may_have_several_cards_both_may_sit(ride: Ride, duel: Contest, desk: Actor) -> None:
    deal_tables(desk, uuid4(), duel.pk, [[ride.bikes[number].pk, ride.bikes[3].pk] for number in (1, 2)])

    merge(ride, desk, 1, 2)

    assert Seat.objects.filter(contest=duel, bike=ride.bikes[2]).count() == 2


def test_two_that_sit_at_the_same_table_are_not_merged(ride: Ride, duel: Contest, desk: Actor) -> None:
    deal_tables(desk, uuid4(), duel.pk, [[ride.bikes[1].pk, ride.bikes[2].pk]])

    with pytest.raises(CannotMerge) as refused:
        merge(ride, desk, 1, 2)

    said = [str(explain("", problem)) for problem in refused.value.problems]
    assert said == ["Both sit at the same table of Pig duel; withdraw that card first."]


def test_a_revision_keeps_the_bike_as_it_was_and_the_next_one_is_pending(
    ride: Ride, pig: Contest, desk: Actor, card: Card, act: Act
) -> None:
    table = card(1)
    for action in (throw(6, 4), throw(5, 5), BANK):
        act(table, action)
    close_contest(desk, uuid4(), pig.pk, "bedtime")
    publish_contest(desk, uuid4(), pig.pk)

    merge(ride, desk, 1, 2)

    pig.refresh_from_db()
    board = get_leaderboard(pig)
    assert [row.holder_id for row in board.rows] == [ride.bikes[1].pk]
    assert board.is_pending
    assert list(list_damage(ride.event)) == []
    publish_contest(desk, uuid4(), pig.pk)
    assert [row.holder_id for row in get_leaderboard(pig).rows] == [ride.bikes[2].pk]
