"""Fixtures of the check-in list."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.services import add_item, check_bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk

__all__ = ["add_turn", "desk"]

TickBike = Callable[..., Receipt]


@pytest.fixture
def items(ride: Ride) -> dict[str, CheckItem]:
    """The items Present and Paid."""
    return {name: add_item(ride.event, name) for name in ("Present", "Paid")}


@pytest.fixture
def tick(ride: Ride, items: dict[str, CheckItem], desk: Actor) -> TickBike:
    """Tick a box: `tick(1, "Paid")`, by Alice or by the actor given as `by`."""

    def make(number: int, item: str, *, by: Actor | None = None, is_checked: bool = True) -> Receipt:
        bike_id = ride.bikes[number].pk
        return check_bike(by or desk, uuid4(), bike_id, items[item].pk, is_checked=is_checked)

    return make


def list_ticks() -> set[tuple[int, str]]:
    """The boxes that are ticked: number and item."""
    return set(BikeCheck.objects.values_list("bike__number", "item__name"))
