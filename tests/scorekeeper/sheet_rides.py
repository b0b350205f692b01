"""A ride whose contest sells further sheets of a bike: a dice run, and beside it a poker run where a test adds one."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.services.sheet_sales import sell_sheet
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride


def make_dice_run(ride: Ride, most: int = 3, each: str = Contest.SheetsFor.BIKE, **options: Any) -> Contest:
    """Turn the ride's contest into a dice run in which a bike, or each rider, can have several sheets."""
    contest = ride.contest
    contest.game_key, contest.name, contest.slug = "dice-run", "Dice run", "dice-run"
    contest.options = {"turns": len(ride.slots), **options}
    contest.rules_version = contest.game.version
    contest.sheets_for, contest.sheets_max = each, most
    contest.save()
    contest.__dict__.pop("ruleset", None)
    return contest


def throw(total: int) -> list[dict[str, Any]]:
    """A turn of a dice run with this sum of five dice."""
    return [{"type": "paper", "total": total}]


def sell(ride: Ride, actor: Actor, number: int, sheet: int = 2) -> Bike:
    """Sell a further sheet of a bike, and return it."""
    receipt = sell_sheet(actor, uuid4(), ride.bikes[number].pk, ride.contest.pk, sheet)
    return Bike.entrants.get(pk=UUID((receipt.data or {})["sheet"]))


def roll(ride: Ride, actor: Actor, bike: Bike, slot: int, total: int, **more: Any) -> Receipt:
    """Record a turn on a sheet."""
    turn = TurnInput(ride.contest.pk, bike.pk, ride.slots[slot - 1].pk, throw(total), **more)
    return record_turn(actor, uuid4(), turn)


def get_card_id(ride: Ride, bike: Bike) -> UUID:
    """The id of a sheet's card."""
    return derive_card_id(ride.contest.pk, bike.pk)


def add_poker_run(ride: Ride, most: int = 1, each: str = Contest.SheetsFor.BIKE) -> Contest:
    """Add a poker run with a turn wherever the ride's contest has one."""
    contest = Contest.objects.create(
        event=ride.event,
        name="Poker run",
        slug="poker-run",
        game_key="poker-run",
        rules_version=1,
        options={"turns": len(ride.slots)},
        ordinal=ride.contest.ordinal + 1,
        sheets_for=each,
        sheets_max=most,
    )
    turns = [Slot(contest=contest, stop=slot.stop, ordinal=slot.ordinal) for slot in ride.slots]
    Slot.objects.bulk_create(turns)
    return contest


def draw(contest: Contest, actor: Actor, bike: Bike, slot: int, card: str) -> Receipt:
    """Record a turn of a poker run."""
    at = contest.slots.get(ordinal=slot)
    turn = TurnInput(contest.pk, bike.pk, at.pk, [{"type": "draw", "cards": [card]}])
    return record_turn(actor, uuid4(), turn)
