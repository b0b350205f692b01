"""A ride with any number of bikes and phones, in the database of the program under test.

`python -m tests.faults.ride` runs in the program's own environment. For each line of its input, as `{"rides": 1,
"bikes": 40, "phones": 8, "tables": 4}`, it makes that many and prints them as JSON. The turns that phones will send are
generated from a seed, so a run can be repeated.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

if TYPE_CHECKING:
    from scorekeeper.bikes.models import Bike
    from scorekeeper.events.models import Contest, Event
    from scorekeeper.stops.models import Stop

TURNS = 5
TIED = 4  # bikes that nobody enters anything for but `OperationGenerator.make_ties`: two pairs, each tied at the end
BOXES = (
    *("aces", "twos", "threes", "fours", "fives", "sixes"),
    *("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yahtzee", "chance"),
)


@dataclass(frozen=True)
class FaultRide:
    """A ride with nothing recorded.

    Attributes:
        board: path of its leaderboard.
        slots: ids in the order of play.
        phones: cookies of the crew's phones.
        rogue: the contest of its tables.
        tables: the tables of that contest, with two bikes each.
        dice_run: the contest in which bikes can have a second sheet; nothing is recorded on any.
        event_class: the class of the second tied pair, who have a prize for the first place of it.
        session: the organiser's cookie. Only a ride with tables has these five.
        check_items: the check-in list.
    """

    slug: str
    board: str
    contest: str
    slots: list[str]
    bikes: list[str]
    phones: list[str]
    event: str
    rogue: str = ""
    tables: list[str] = field(default_factory=list)
    dice_run: str = ""
    event_class: str = ""
    session: str = ""
    check_items: list[str] = field(default_factory=list)

    @property
    def rogue_board(self) -> str:
        """The path of the tables' leaderboard."""
        return f"/events/{self.slug}/rogue/"

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


def make_ride(data: Path, variables: Mapping[str, str], bikes: int, phones: int, tables: int = 0) -> FaultRide:
    """Make a ride in the database of the program that has this data folder and these variables."""
    (made,) = make_rides(data, variables, bikes, phones, 1, tables)
    return made


def make_rides(
    data: Path, variables: Mapping[str, str], bikes: int, phones: int, rides: int, tables: int = 0
) -> list[FaultRide]:
    """Make this many rides, each with these bikes, phones and tables."""
    with RideMaker(data, variables) as maker:
        return maker.make_rides(bikes, phones, rides, tables)


class RideMaker:
    """A process that makes rides in the database of a program. Its start takes longer than most rides.

    Args:
        data: the data folder of the program.
        variables: its environment variables.
    """

    def __init__(self, data: Path, variables: Mapping[str, str]) -> None:
        self._environment = make_environment(data, DJANGO_SETTINGS_MODULE="config.settings", **variables)
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> RideMaker:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process is not None:
            self._process.communicate(timeout=TIMEOUT_SECONDS)  # it ends with its input

    def make_ride(self, bikes: int, phones: int, tables: int = 0) -> FaultRide:
        """Make a ride with nothing recorded."""
        (made,) = self.make_rides(bikes, phones, 1, tables)
        return made

    def make_rides(self, bikes: int, phones: int, rides: int, tables: int = 0) -> list[FaultRide]:
        """Make this many rides, each with these bikes, phones and tables."""
        if self._process is None:
            command = [sys.executable, "-m", "tests.faults.ride"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdin=pipe, stdout=pipe, text=True
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        wanted = {"rides": rides, "bikes": bikes, "phones": phones, "tables": tables}
        self._process.stdin.write(f"{json.dumps(wanted)}\n")
        self._process.stdin.flush()
        printed = self._process.stdout.readline()
        assert printed, "the process has ended; its errors are in the output of the test"
        return [FaultRide(**made) for made in json.loads(printed)]


def make_ride_here(bikes: int, phones: int, tables: int = 0) -> FaultRide:
    """Make a ride in the database of this process."""
    from scorekeeper.bikes.models import Bike
    from scorekeeper.check_in.models import CheckItem
    from scorekeeper.crew.models import CrewMember, Group
    from scorekeeper.crew.services.devices import create_device
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
        CrewMember.objects.create(group=group, name=f"Phone {n}", role=CrewMember.Role.ROAD_CAPTAIN)
        for n in range(phones)
    ]
    items = CheckItem.objects.bulk_create(
        [CheckItem(event=event, name=name, ordinal=n) for n, name in enumerate(("Present", "Paid"), 1)]
    )
    rogue, table_ids, session = _add_tables(event, riding[: 2 * tables]) if tables else ("", [], "")
    dice_run = _add_dice_run(event, stops) if tables else ""
    event_class = _add_class(contest, riding[TIED // 2 : TIED]) if tables else ""
    return FaultRide(
        slug,
        board=f"/events/{slug}/{contest.slug}/",
        contest=str(contest.pk),
        slots=[str(slot.pk) for slot in slots],
        bikes=[str(bike.pk) for bike in riding],
        phones=[create_device(member)[1] for member in crew],
        event=str(event.pk),
        rogue=rogue,
        tables=table_ids,
        dice_run=dice_run,
        event_class=event_class,
        session=session,
        check_items=[str(item.pk) for item in items],
    )


def _add_dice_run(event: Event, stops: Sequence[Stop]) -> str:
    """Add a contest in which bikes can have a second sheet, and return its id."""
    from scorekeeper.events.models import Contest
    from scorekeeper.stops.models import Slot

    contest = Contest.objects.create(
        event=event, name="Dice run", slug="dice-run", game_key="dice-run", rules_version=1, sheets_max=2
    )
    Slot.objects.bulk_create([Slot(contest=contest, stop=stop, ordinal=stop.ordinal) for stop in stops])
    return str(contest.pk)


def _add_class(contest: Contest, bikes: Sequence[Bike]) -> str:
    """Add a class of these bikes, with a prize for its first place in the contest, and return its id."""
    from scorekeeper.players.models import ClassMember, EventClass
    from scorekeeper.prizes.models import Prize

    event_class = EventClass.objects.create(event=contest.event, name="125 cc", ordinal=1)
    ClassMember.objects.bulk_create([ClassMember(event_class=event_class, bike=bike) for bike in bikes])
    Prize.objects.create(event=contest.event, contest=contest, position=1, place=1, event_class=event_class)
    return str(event_class.pk)


def _add_tables(event: Event, bikes: Sequence[Bike]) -> tuple[str, list[str], str]:
    """Add a contest of Rogue with two bikes at each table, and an organiser; return their fields of `FaultRide`."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from scorekeeper.events.models import Contest, Organiser
    from scorekeeper.ledger.actors import Actor
    from scorekeeper.live.models import Screen
    from scorekeeper.tables.services import create_tables

    user = User.objects.create(username=event.slug)
    organiser = Organiser.objects.create(event=event, user=user)
    contest = Contest.objects.create(
        event=event, name="Rogue", slug="rogue", game_key="rogue", rules_version=1, seats_are=Contest.SeatsAre.BIKES
    )
    pairs = [[one.pk, other.pk] for one, other in zip(bikes[::2], bikes[1::2], strict=False)]
    receipt = create_tables(Actor.from_organiser(organiser), uuid.uuid4(), contest.pk, pairs)
    # The big screen shows only the contest of the turns.
    shown = [str(one.pk) for one in event.contests.exclude(pk=contest.pk)]
    Screen.objects.create(event=event, is_public=True, parts=shown)
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    tables = [entry["chain"] for entry in receipt.entries]
    return str(contest.pk), tables, f"{name}={client.cookies[name].value}"


def main() -> None:
    """Make the rides that each line of the input asks for."""
    import django

    django.setup()
    from django.db import connections

    for line in sys.stdin:
        wanted = json.loads(line)
        made = [asdict(make_ride_here(**wanted)) for _ in range(wanted.pop("rides"))]
        connections.close_all()  # before the next line a test may have killed the database
        sys.stdout.write(f"{json.dumps(made)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
