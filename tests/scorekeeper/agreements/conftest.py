"""Fixtures of agreed cards."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors import CardAgreement, get_card_agreement
from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.agreements.sheet_digest import compute_state_digest
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.selectors.cards import get_card
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn

__all__ = ["add_turn", "desk"]

AddTurn = Callable[..., Receipt]
AgreeTo = Callable[..., Receipt]


def get_digest(ride: Ride, number: int) -> str:
    """The digest of what a bike's card says now."""
    return compute_state_digest(get_card(ride.contest, ride.slots, ride.bikes[number]))


def get_agreement(ride: Ride, number: int) -> CardAgreement:
    """Whether a bike's card is agreed to as it is now."""
    return get_card_agreement(ride.contest.pk, ride.bikes[number].pk, get_digest(ride, number))


def list_agreed() -> set[tuple[int, str]]:
    """The agreements in the database: number and by whom."""
    return set(Agreement.objects.values_list("bike__number", "by"))


@pytest.fixture
def rolled(ride: Ride, add_turn: AddTurn) -> UUID:
    """Bikes 1 and 2 have rolled at the first stop. Returns the id of bike 1's turn."""
    operation = uuid4()
    add_turn(1, 1, make_paper_turn("chance", 24), operation=operation)
    add_turn(2, 1, make_paper_turn("chance", 18))
    return operation


@pytest.fixture
def agree_to(ride: Ride, desk: Actor) -> AgreeTo:
    """Agree to a card as it is now: `agree_to(1)`, on Alice's device or on that of the actor given as `on`."""

    def make(
        number: int, *, on: Actor | None = None, by: str = "rider", is_agreed: bool = True, digest: str = ""
    ) -> Receipt:
        bike: Bike = ride.bikes[number]
        seen = SeenCard(ride.contest.pk, bike.pk, digest or get_digest(ride, number))
        return agree(on or desk, uuid4(), seen, by, is_agreed=is_agreed)

    return make
