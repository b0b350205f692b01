"""Merging bikes where each person on a bike has sheets of their own: every sheet stays that of the same person."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

import pytest

from scorekeeper.bikes.models import FurtherSheet
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_full_names
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import make_dice_run, roll, sell

pytestmark = pytest.mark.database


@pytest.fixture
def seller(ride: Ride) -> Actor:
    """Rita's phone. Yan rides along on bike 1, and Zoe on bike 2."""
    Player.objects.create(event=ride.event, name="Yan", bike=ride.bikes[1], role=Player.Role.PASSENGER)
    return make_actor(ride.rita)


def list_names(ride: Ride) -> Mapping[str, str]:
    """Return whose each further sheet is, by the id of the sheet."""
    names = get_full_names(ride.event, ride.contest)
    return {str(sheet.pk): names[sheet.pk] for sheet in FurtherSheet.objects.all()}


def list_labels(ride: Ride) -> list[str]:
    return [sheet.label for sheet in FurtherSheet.objects.order_by("number", "sheet")]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_every_sheet_stays_that_of_its_person(ride: Ride, seller: Actor, desk: Actor, most: int) -> None:
    make_dice_run(ride, most=most, each=Contest.SheetsFor.RIDER)
    for bike in (1, 2):
        for number in range(2, 2 * most + 1):
            sell(ride, seller, bike, number)
    before, labels = list_names(ride), list_labels(ride)
    assert set(before.values()) >= {"Yan", "Zoe"}

    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[1].pk, "the same bike")

    assert list_names(ride) == before
    assert len(set(list_labels(ride))) == len(labels)
    assert list(list_damage(ride.event)) == []

    unmerge_bikes(desk, uuid4(), ride.bikes[2].pk, "two bikes after all")

    assert (list_names(ride), list_labels(ride)) == (before, labels)
    assert list(list_damage(ride.event)) == []


def test_bikes_are_merged_and_parted_again_and_again(ride: Ride, seller: Actor, desk: Actor) -> None:
    make_dice_run(ride, most=1, each=Contest.SheetsFor.RIDER)
    yan, zoe = sell(ride, seller, 1), sell(ride, seller, 2)
    roll(ride, seller, zoe, 1, 23)
    before = list_names(ride)

    for into, bike in ((1, 2), (2, 1), (1, 2)):
        merge_bikes(desk, uuid4(), ride.bikes[bike].pk, ride.bikes[into].pk, "the same bike")
        assert list_names(ride) == before
        unmerge_bikes(desk, uuid4(), ride.bikes[bike].pk, "two bikes after all")
        assert list_labels(ride) == ["1/2", "2/2"]

    assert before == {str(yan.pk): "Yan", str(zoe.pk): "Zoe"}
    assert list(list_damage(ride.event)) == []


def test_sheets_of_bikes_keep_their_numbers(ride: Ride, seller: Actor, desk: Actor) -> None:
    """In a contest where the bike has the sheets, nobody's name depends on the number."""
    make_dice_run(ride, most=3)
    sell(ride, seller, 1)
    second = sell(ride, seller, 2)

    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[1].pk, "the same bike")

    second.refresh_from_db()
    assert second.label == "1/3"
    assert list_labels(ride) == ["1/2", "1/3"]
