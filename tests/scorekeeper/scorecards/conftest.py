"""Fixtures and helpers that record turns on the ride's cards, and the fixtures of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Scorecard, Turn
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    duel_contest,
    fetch_table,
    organiser,
    people,
    phone,
    pig_contest,
    pig_table,
    rogue_contest,
    rogue_table,
)

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "desk",
    "duel_contest",
    "fetch_table",
    "organiser",
    "people",
    "phone",
    "pig_contest",
    "pig_table",
    "rogue_contest",
    "rogue_table",
]

Actions = list[dict[str, Any]]


def make_final_turn(dice: list[int], box: str) -> Actions:
    """A turn recorded with its final dice."""
    return [{"type": "result", "dice": dice}, {"type": "score", "box": box}]


def make_paper_turn(box: str, points: int) -> Actions:
    """A turn from a paper card."""
    return [{"type": "paper", "box": box, "points": points}]


def make_actor(member: CrewMember) -> Actor:
    """A crew member with a new phone."""
    device, _ = create_device(member)
    return Actor.from_device(device)


@pytest.fixture
def desk(ride: Ride) -> Actor:
    """Alice, an organiser."""
    return Actor.from_organiser(Organiser.objects.get(event=ride.event, user__username="alice"))


@pytest.fixture
def add_turn(ride: Ride) -> Callable[..., Receipt]:
    """Record a turn: `add_turn(1, slot, actions)`, by Rita or by the actor given as `by`."""
    rita = make_actor(ride.rita)

    def make(number: int, slot: int, actions: Actions, by: Actor | None = None, **more: Any) -> Receipt:
        operation = more.pop("operation", None) or uuid4()
        bike = ride.bikes[number]
        turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[slot - 1].pk, actions, **more)
        return record_turn(by or rita, operation, turn)

    return make


def get_bike_card(ride: Ride, bike: Bike) -> Scorecard:
    """The card of a bike, which must exist."""
    return Scorecard.objects.get(pk=derive_card_id(ride.contest.pk, bike.pk))


def list_bike_turns(ride: Ride, number: int) -> list[tuple[int, str | None, int]]:
    """The current turns of a bike's card: slot, box, points."""
    card_id: UUID = derive_card_id(ride.contest.pk, ride.bikes[number].pk)
    rows = Turn.objects.filter(card_id=card_id).order_by("slot__ordinal")
    return list(rows.values_list("slot__ordinal", "line", "points"))
