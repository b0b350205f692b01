"""The next bike to roll, found in one statement, is the one that the group's list shows next."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.group import (
    NextBike,
    find_bikes,
    get_group_at_stop,
    get_next_bike,
    get_riders,
)
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import Actions, make_actor, make_final_turn, make_paper_turn

pytestmark = pytest.mark.django_db

RUNS = scaled(6, 3)


def expect(ride: Ride, bike: Bike, stop_id: UUID) -> NextBike:
    """What follows from the list of the group."""
    at_stop = get_group_at_stop(ride.contest, ride.group_one, stop_id)
    ids = [row.id for row in at_stop.bikes]
    turned = at_stop.bikes
    if bike.pk in ids:
        turned = [*at_stop.bikes[ids.index(bike.pk) + 1 :], *at_stop.bikes[: ids.index(bike.pk)]]
    row = next((row for row in turned if row.state == "todo"), None)
    riders = get_riders(bike)
    if row is None:
        return NextBike(riders, at_stop.rolled_count, len(ids))
    found = NextBike(riders, at_stop.rolled_count, len(ids), id=row.id, number=row.number, next_riders=row.riders)
    return replace(found, contest_id=ride.contest.pk)


def check(ride: Ride) -> list[NextBike]:
    """Compare the two for every bike at every stop."""
    found = []
    for stop in ride.stops:
        slots = [slot for slot in ride.slots if slot.stop_id == stop.pk]
        for bike in Bike.objects.filter(event=ride.event, merged_into=None):
            found.append(get_next_bike(ride.rita, ride.contest, slots, bike))
            assert found[-1] == expect(ride, bike, stop.pk), (stop.name, bike.label)
    return found


@pytest.mark.parametrize("seed", range(RUNS))
def test_next_bike_follows_the_list_order(ride: Ride, add_turn: Callable[..., object], seed: int) -> None:
    chance = random.Random(seed)
    tom = make_actor(ride.tom)
    bike = Bike.objects.create(event=ride.event, number=2, suffix=2, group=ride.group_one)  # nobody rides it
    Bike.objects.create(event=ride.event, number=9, group=ride.group_one, merged_into=bike)
    Player.objects.create(event=ride.event, name="Adi", bike=ride.bikes[3], role=Player.Role.PASSENGER)
    turns: list[Actions] = [make_paper_turn("chance", 20), make_final_turn([1] * 5, "aces"), [{"type": "forfeit"}]]
    for number in (1, 2, 3, 4):
        for slot in (1, 2, 4, 5):
            if chance.random() < 0.5:
                add_turn(number, slot, chance.choice(turns))
            if chance.random() < 0.2:
                add_turn(number, slot, chance.choice(turns), by=tom)  # may be a conflict

    found = check(ride)

    assert any(one.id for one in found)


def test_the_group_may_be_empty(ride: Ride) -> None:
    Bike.objects.filter(group=ride.group_one).update(group=None)

    assert {one.bike_count for one in check(ride)} == {0}


def test_it_takes_one_statement(ride: Ride) -> None:
    with CaptureQueriesContext(connection) as queries:
        following = get_next_bike(ride.rita, ride.contest, ride.slots[:1], ride.bikes[4])

    assert (following.riders, following.number, following.next_riders) == ("Dan", "1", "Ann")
    assert len(queries) == 1
    assert not find_bikes(ride.contest, ride.event, "1", ride.stops[0].pk)[0].has_rolled
