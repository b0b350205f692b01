"""A small example ride for the page crawler, created with the project's own models and services.

Every game has a contest, at the stops or at tables. The ride is created where Django is set up as on a phone, so that
it uses only what a phone has.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from typing import Any
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.common.game_adapter import list_games
from scorekeeper.crew.models import CrewMember, Device, DiceSet, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.offline.row_codec import dump_rows
from scorekeeper.offline.selectors.ride_columns import LATEST_FORMAT
from scorekeeper.offline.selectors.ride_parts import RideParts
from scorekeeper.offline.time_zones import read_zone_file
from scorekeeper.players.models import Player
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.tables.seating_plan import get_seat_limits
from scorekeeper.tables.services import create_tables

EXAMPLE_ZONE = "Europe/Zurich"
EXAMPLE_TIME = dt.datetime(2026, 6, 20, 8, 0, tzinfo=dt.UTC)
BIKE_NUMBERS = range(1, 7)


def create_example_ride() -> dict[str, Any]:
    """Return a ride as a road captain's phone stores it. The database must be empty."""
    event = Event.objects.create(
        id=_make_id("event"),
        name="A ride",
        slug="a-ride",
        date=EXAMPLE_TIME.date(),
        time_zone=EXAMPLE_ZONE,
        state=Event.State.OPEN,
    )
    groups = [_create_group(event, number) for number in (1, 2)]
    stops = [_create_stop(event, number) for number in (1, 2)]
    bikes = [_create_bike(event, groups[number > 3], number) for number in BIKE_NUMBERS]
    CheckItem.objects.create(id=_make_id("check item"), event=event, name="Paid", ordinal=1)
    people = list(Player.objects.order_by("name"))
    for ordinal, key in enumerate(sorted(list_games()), 1):
        contest = _create_contest(event, key, ordinal)
        if contest.game.slot_option:
            for number, stop in enumerate(stops, 1):
                Slot.objects.create(id=_make_id(f"{key} {number}"), contest=contest, stop=stop, ordinal=number)
        if not get_kind(contest.game).enters_roster:
            _create_tables(
                contest,
                [entrant.pk for entrant in (people if contest.seats_are == Contest.SeatsAre.PLAYERS else bikes)],
            )
    captain = CrewMember.objects.create(
        id=_make_id("captain"), group=groups[0], name="Rita", role=CrewMember.Role.ROAD_CAPTAIN
    )
    ends = EXAMPLE_TIME + dt.timedelta(days=30)
    device = Device.objects.create(id=_make_id("phone"), member=captain, expires_at=ends)
    facts = {
        "headers": {"content-security-policy": "default-src 'self'"},
        "static": {"css/base.css": "/static/css/base.0.css"},
        "zones": {name: read_zone_file(name) for name in ("UTC", EXAMPLE_ZONE)},
    }
    parts = RideParts(device, facts)
    ride = {
        "format": LATEST_FORMAT,
        "device": str(device.pk),
        "server_time": EXAMPLE_TIME.isoformat(),
        "parts": list(parts.fetch_contents(parts.fingerprints).values()),
    }
    plain: dict[str, Any] = json.loads(dump_rows(ride))
    return plain


def _make_id(text: str) -> UUID:
    return UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)


def _create_group(event: Event, number: int) -> Group:
    group = Group.objects.create(id=_make_id(f"group {number}"), event=event, name=f"Group {number}", ordinal=number)
    for dice_set in (1, 2):
        DiceSet.objects.create(
            id=_make_id(f"dice {number} {dice_set}"), group=group, name=f"{dice_set}", ordinal=dice_set
        )
    return group


def _create_stop(event: Event, number: int) -> Stop:
    return Stop.objects.create(
        id=_make_id(f"stop {number}"), event=event, name=f"Stop {number}", ordinal=number, opens_at=dt.time(9),
        closes_at=dt.time(1), address="1 Main Street", latitude="47.05", longitude="8.3", crew_note="Park behind it.",
    )  # fmt: skip


def _create_bike(event: Event, group: Group, number: int) -> Bike:
    bike = Bike.objects.create(id=_make_id(f"bike {number}"), event=event, number=number, make="Honda", group=group)
    Player.objects.create(
        id=_make_id(f"rider {number}"), event=event, name=f"Rider {number}", bike=bike, role=Player.Role.RIDER
    )
    return bike


def _create_contest(event: Event, key: str, ordinal: int) -> Contest:
    game = list_games()[key]
    contest = Contest(
        id=_make_id(key), event=event, name=f"Contest {ordinal}", slug=key, ordinal=ordinal, game_key=key,
        rules_version=game.version, frozen_at=EXAMPLE_TIME,
    )  # fmt: skip
    contest.seats_are = contest.seats_may_be[0]
    contest.save(force_insert=True)
    return contest


def _create_tables(contest: Contest, entrants: list[UUID]) -> None:
    limits = get_seat_limits(contest.game)
    seats = max(limits.low, min(2, limits.high or 2))
    create_tables(
        Actor(_make_id("organiser"), contest.event_id), _make_id(f"deal {contest.slug}"), contest.pk, [entrants[:seats]]
    )
