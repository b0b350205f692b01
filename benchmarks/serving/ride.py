"""A ride for the benchmarks: bikes with a first turn on each card, and crew phones that may record for all of them."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

TURNS = 5
BOXES = ("chance", "fives", "sixes", "fours", "threes")
DICE = [3, 4, 5, 6, 6]


@dataclass(frozen=True)
class Ride:
    """What a phone needs to record a turn.

    Attributes:
        slots: in order; every card already has a turn in the first.
        cookies: a header line for each phone.
    """

    contest: UUID
    slots: Sequence[UUID]
    bikes: Sequence[UUID]
    cookies: Sequence[str]

    def list_turns(self) -> Iterator[dict[str, Any]]:
        """Yield operations with one turn each, slot by slot, as a phone sends them."""
        for slot, box in list(zip(self.slots, BOXES, strict=True))[1:]:
            for bike in self.bikes:
                yield self.make_turn(bike, slot, box)

    def make_turn(self, bike: UUID, slot: UUID, box: str) -> dict[str, Any]:
        """Return one operation."""
        actions = [{"type": "result", "dice": DICE}, {"type": "score", "box": box}]
        return {
            "id": str(uuid4()),
            "kind": "turn",
            "contest": str(self.contest),
            "bike": str(bike),
            "slot": str(slot),
            "actions": actions,
        }


def make_environment(database: str, folder: Path, redis: str) -> dict[str, str]:
    """Return the environment of Tailgunner, and set it in this process too, so that the ride can be created here."""
    environment = {"DATABASE_URL": database, "DATA_DIR": str(folder / "data"), "REDIS_URL": redis}
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
    return environment


def make_ride(bikes: int, phones: int) -> Ride:
    """Create the tables and the ride in the database that the environment names."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from scorekeeper.bikes.models import Bike
    from scorekeeper.crew.access import DEVICE_COOKIE
    from scorekeeper.crew.models import CrewMember, Group
    from scorekeeper.crew.services.devices import create_device
    from scorekeeper.events.models import Contest, Event
    from scorekeeper.ledger.actors import Actor
    from scorekeeper.ledger.models import Chain
    from scorekeeper.ledger.services.batch import record_batch
    from scorekeeper.scorecards.contest_rules import derive_card_id
    from scorekeeper.scorecards.models import Scorecard, Seat
    from scorekeeper.scorecards.services.turns import TurnInput, prepare_turn
    from scorekeeper.stops.models import Slot, Stop

    call_command("migrate", verbosity=0)
    event = Event.objects.create(name="Bench", slug="bench", date=dt.date(2026, 6, 20), state=Event.State.OPEN)
    contest = Contest.objects.create(
        event=event, name="R.O.C.K.", slug="rock", game_key="rock-yahtzee", rules_version=1, frozen_at=timezone.now()
    )
    stops = [Stop(event=event, name=f"Stop {number}", ordinal=number) for number in range(1, TURNS + 1)]
    Stop.objects.bulk_create(stops)
    slots = [Slot(contest=contest, stop=stop, ordinal=stop.ordinal) for stop in stops]
    Slot.objects.bulk_create(slots)
    group = Group.objects.create(event=event, name="One", ordinal=1)
    created = [Bike(event=event, number=number, group=group) for number in range(1, bikes + 1)]
    Bike.objects.bulk_create(created)
    crew = [CrewMember.objects.create(group=group, name=f"Crew {n}", role="tail_gunner") for n in range(phones)]
    devices = [create_device(member) for member in crew]
    ride = Ride(
        contest.pk,
        [slot.pk for slot in slots],
        [bike.pk for bike in created],
        [f"Cookie: {DEVICE_COOKIE}={token}" for _device, token in devices],
    )
    actor = Actor.from_device(devices[0][0])
    actions = ride.make_turn(ride.bikes[0], ride.slots[0], BOXES[0])["actions"]
    cards = {derive_card_id(ride.contest, bike): bike for bike in ride.bikes}
    Chain.objects.bulk_create([Chain(id=card, event=event, kind=Chain.Kind.CARD) for card in cards])
    Scorecard.objects.bulk_create([Scorecard(id=card, chain_id=card, contest=contest) for card in cards])
    Seat.objects.bulk_create([Seat(card_id=card, contest=contest, bike_id=bike) for card, bike in cards.items()])
    turns = [TurnInput(ride.contest, bike, ride.slots[0], actions) for bike in ride.bikes]
    for first in range(0, bikes, 500):
        record_batch([prepare_turn(actor, uuid4(), turn) for turn in turns[first : first + 500]])
    return ride
