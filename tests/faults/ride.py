"""A ride with as many bikes and phones as wanted, in the database of the program under test.

`python -m tests.faults.ride --bikes 40 --phones 8` makes one and prints it as JSON; it runs in the program's own
environment. Everything the phones will send is made beforehand, from a seed: what a run is about can be told again.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.programs import PATIENCE, ROOT, environment_with

TURNS = 5
BOXES = (
    *("aces", "twos", "threes", "fours", "fives", "sixes"),
    *("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yahtzee", "chance"),
)


@dataclass(frozen=True)
class FaultRide:
    """A ride with nothing noted.

    Attributes:
        board: path of its leaderboard.
        slots: ids in the order of play.
        phones: cookies of the crew's phones.
    """

    slug: str
    board: str
    contest: str
    slots: list[str]
    bikes: list[str]
    phones: list[str]

    @property
    def bike_of(self) -> dict[str, str]:
        """The bike of every card; a card's id follows from the bike's."""
        return {str(uuid.uuid5(uuid.UUID(self.contest), bike)): bike for bike in self.bikes}

    def make_turns(self, seed: int) -> list[dict[str, Any]]:
        """Return one operation for every turn of every bike, stop by stop, as a phone would send them."""
        chance = random.Random(seed)
        boxes = {bike: chance.sample(BOXES, len(self.slots)) for bike in self.bikes}
        return [
            {
                "id": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
                "kind": "turn",
                "contest": self.contest,
                "bike": bike,
                "slot": slot,
                "actions": [
                    {"type": "result", "dice": [chance.randint(1, 6) for _ in range(5)]},
                    {"type": "score", "box": boxes[bike][number]},
                ],
            }
            for number, slot in enumerate(self.slots)
            for bike in self.bikes
        ]


def make_ride(data: Path, variables: Mapping[str, str], bikes: int, phones: int) -> FaultRide:
    """Make a ride in the database of the program that has this data folder and these variables."""
    command = [sys.executable, "-m", "tests.faults.ride", "--bikes", str(bikes), "--phones", str(phones)]
    env = environment_with(data, DJANGO_SETTINGS_MODULE="config.settings", **variables)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return FaultRide(**made)


def fill(bikes: int, phones: int) -> FaultRide:
    """Make a ride in the database of this process."""
    from scorekeeper.bikes.models import Bike
    from scorekeeper.crew.models import CrewMember, Group
    from scorekeeper.crew.services.devices import make_device
    from scorekeeper.events.models import Contest, Event
    from scorekeeper.stops.models import Slot, Stop

    slug = f"faults-{uuid.uuid4().hex[:8]}"
    event = Event.objects.create(
        name="A ride with bad lines",
        slug=slug,
        date=dt.date(2026, 6, 20),
        time_zone="America/Edmonton",
        state=Event.State.OPEN,
    )
    group = Group.objects.create(event=event, name="All", ordinal=1)
    contest = Contest.objects.create(
        event=event, name="R.O.C.K. Yahtzee", slug="rock", game_key="rock-yahtzee", rules_version=1
    )
    stops = Stop.objects.bulk_create([Stop(event=event, name=f"Stop {n}", ordinal=n) for n in range(1, TURNS + 1)])
    slots = Slot.objects.bulk_create([Slot(contest=contest, stop=stop, ordinal=stop.ordinal) for stop in stops])
    riding = Bike.objects.bulk_create([Bike(event=event, number=n, group=group) for n in range(1, bikes + 1)])
    crew = [
        CrewMember.objects.create(group=group, name=f"Phone {n}", role=CrewMember.Role.SUPERVISOR)
        for n in range(phones)
    ]
    return FaultRide(
        slug,
        board=f"/events/{slug}/{contest.slug}/",
        contest=str(contest.pk),
        slots=[str(slot.pk) for slot in slots],
        bikes=[str(bike.pk) for bike in riding],
        phones=[make_device(member)[1] for member in crew],
    )


if __name__ == "__main__":
    import django

    django.setup()
    parser = argparse.ArgumentParser()
    parser.add_argument("--bikes", type=int, required=True)
    parser.add_argument("--phones", type=int, required=True)
    wanted = parser.parse_args()
    sys.stdout.write(json.dumps(asdict(fill(wanted.bikes, wanted.phones))))
