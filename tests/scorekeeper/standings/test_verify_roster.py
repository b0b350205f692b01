"""`manage.py verify` compares every bike, and the prize places, with the log of a contest that is closed."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.bike_operations import (
    WalkUp,
    merge_bikes,
    register_bike,
    renumber_bike,
    withdraw_bike,
)
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.database


def find_damage(event: Event) -> list[str]:
    return [f"{damage.location}: {damage.description}" for damage in list_damage(event)]


@pytest.fixture
def absent(ride: Ride, add_turn, close) -> Bike:
    """Bike 8, which never rolled; the contest is closed."""
    add_turn(1, 1, make_paper_turn("chance", 24))
    close()
    return ride.bikes[8]


def _renumber(bike: Bike) -> None:
    Bike.objects.filter(pk=bike.pk).update(number=88)


def _add_suffix(bike: Bike) -> None:
    Bike.objects.filter(pk=bike.pk).update(suffix=2)


def _delete(bike: Bike) -> None:
    Player.objects.filter(bike=bike).delete()
    Bike.objects.filter(pk=bike.pk).delete()


def _insert(bike: Bike) -> None:
    Bike.objects.create(event_id=bike.event_id, number=99)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (_renumber, "it does not match the log: number or suffix"),
        (_add_suffix, "it does not match the log: number or suffix"),
        (_delete, "it is missing, but it is in the log"),
        (_insert, "it was added after a contest was closed, and the log does not say by whom"),
    ],
)
def test_a_bike_that_never_rolled_is_compared_once_a_contest_is_closed(
    ride: Ride, absent: Bike, tamper: Callable[[Bike], None], message: str
) -> None:
    assert find_damage(ride.event) == []

    tamper(absent)

    (found,) = find_damage(ride.event)
    assert found.endswith(message)


def test_a_bike_inserted_into_an_event_that_had_none_is_found(
    ride: Ride, event: Event, desk: Actor, close: Callable[[], object]
) -> None:
    Player.objects.all().delete()
    Bike.objects.all().delete()
    close()
    assert find_damage(event) == []

    Bike.objects.create(event=event, number=99)

    assert "it was added after a contest was closed" in " ".join(find_damage(event))


def test_the_closing_entry_lists_every_bike_and_the_prize_places(ride: Ride, absent: Bike) -> None:
    body = parse_entry_body(Entry.objects.get(kind="close", chain=ride.contest.pk))

    assert body["bikes"] == {str(bike.pk): [bike.number, 1] for bike in ride.bikes.values()}
    assert body["data"] == {"prizes": ride.contest.prizes}


def test_bikes_changed_by_operations_after_the_closing_are_in_order(ride: Ride, absent: Bike, desk: Actor) -> None:
    walk_up, undone = WalkUp(uuid4(), 8, ride.group_one.pk, "Ivy"), WalkUp(uuid4(), 77, None, "Joe")
    register_bike(desk, uuid4(), walk_up)
    register_bike(desk, uuid4(), undone)
    withdraw_bike(desk, uuid4(), undone.id)
    renumber_bike(desk, uuid4(), absent.pk, 88, "misread")
    merge_bikes(desk, uuid4(), walk_up.id, absent.pk, "the same bike")

    assert find_damage(ride.event) == []


def test_the_roster_may_be_edited_while_every_contest_is_open_again(ride: Ride, absent: Bike, desk: Actor) -> None:
    reopen_contest(desk, uuid4(), ride.contest.pk, "one is missing")
    _delete(absent)
    Bike.objects.create(event=ride.event, number=99)
    assert find_damage(ride.event) == []

    close_contest(desk, uuid4(), ride.contest.pk, "now it is over")

    assert find_damage(ride.event) == []
    _renumber(Bike.objects.get(number=99))
    assert len(find_damage(ride.event)) == 1


def test_the_list_of_a_contest_that_is_still_closed_counts_while_another_is_reopened(
    ride: Ride, absent: Bike, desk: Actor
) -> None:
    other = Contest.objects.create(
        event=ride.event, name="Rogue", slug="rogue", ordinal=2, game_key="rogue", rules_version=1, seats_are="players"
    )
    close_contest(desk, uuid4(), other.pk, "nobody played")
    reopen_contest(desk, uuid4(), other.pk, "somebody will")
    assert find_damage(ride.event) == []

    _delete(absent)

    assert len(find_damage(ride.event)) == 1


@pytest.mark.parametrize("is_published", [False, True])
def test_another_number_of_prize_places_is_found_while_the_contest_is_closed(
    ride: Ride, absent: Bike, desk: Actor, is_published: bool
) -> None:
    if is_published:
        publish_contest(desk, uuid4(), ride.contest.pk, "all is in")
    assert find_damage(ride.event) == []
    Contest.objects.filter(pk=ride.contest.pk).update(prizes=7)

    assert find_damage(ride.event) == [f"Contest {ride.contest.pk}: 7 places win a prize, but its log says 1"]

    reopen_contest(desk, uuid4(), ride.contest.pk, "three places win")
    assert find_damage(ride.event) == []
