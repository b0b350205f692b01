"""Fixtures for the people of the tests and the ride they take part in.

Terms:
- Alice and Bob are the organisers of the ride. Charlie organises rides of his own and has no access to this ride.
- Rita (road captain), Tom (tail-gunner) and Sue (supervisor) are the crew of group one. Gus is the road captain of
  group two.
- The ride has four stops. Its R.O.C.K. contest has a turn at each of the first three and two at the finale.
- Bikes 1 to 4 ride in group one, 5 to 8 in group two. Each has one rider, and bike 2 also has a passenger.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.services.sessions import record_session_use
from scorekeeper.players.models import Player
from scorekeeper.stops.models import Slot, Stop
from tests import guards

TOY_TEMPLATES = Path(__file__).parents[1] / "games" / "toy" / "templates"
PASSWORD = "long road to Parks"
STOPS = ("Ozweld's", "Parks", "BBQ", "Finale")
SLOTS_AT = ("Ozweld's", "Parks", "BBQ", "Finale", "Finale")
RIDERS = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hal")

SignIn = Callable[[User], Client]
CrewClient = Callable[[CrewMember], Client]


@cache
def _hashed(password: str) -> str:
    """Return the hash, cached because hashing is slow on purpose."""
    return make_password(password)


def _make_user(name: str) -> User:
    return User.objects.create(username=name, password=_hashed(PASSWORD))


@pytest.fixture
def alice(db: None) -> User:
    return _make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return _make_user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return _make_user("charlie")


@pytest.fixture
def event(alice: User, bob: User) -> Event:
    """The open ride, with Alice and Bob as its organisers, and still empty."""
    event = Event.objects.create(
        name="Rock the Roll",
        slug="rock-the-roll-abcd1234",
        date=dt.date(2026, 6, 20),
        time_zone="America/Edmonton",
        state=Event.State.OPEN,
    )
    Organiser.objects.bulk_create(
        [Organiser(event=event, user=user, accepted_at=timezone.now()) for user in (alice, bob)]
    )
    return event


@pytest.fixture
def other_event(charlie: User) -> Event:
    """Charlie's own open ride, which nobody of this ride can see."""
    event = Event.objects.create(
        name="Charlie's run",
        slug="charlies-run-efgh5678",
        date=dt.date(2026, 7, 4),
        time_zone="Europe/Zurich",
        state=Event.State.OPEN,
    )
    Organiser.objects.create(event=event, user=charlie, accepted_at=timezone.now())
    return event


@pytest.fixture
def stops(event: Event) -> list[Stop]:
    """The stops Ozweld's, Parks, BBQ and Finale, in this order."""
    return Stop.objects.bulk_create(
        [Stop(event=event, name=name, ordinal=ordinal) for ordinal, name in enumerate(STOPS, 1)]
    )


def _make_group(event: Event, name: str, ordinal: int) -> Group:
    group = Group.objects.create(event=event, name=name, ordinal=ordinal)
    DiceSet.objects.bulk_create(
        [
            DiceSet(group=group, name=name, ordinal=ordinal)
            for ordinal, name in enumerate(("Road captain", "Tail-gunner", "Third"), 1)
        ]
    )
    return group


@pytest.fixture
def group_one(event: Event) -> Group:
    return _make_group(event, "Group one", 1)


@pytest.fixture
def group_two(event: Event) -> Group:
    return _make_group(event, "Group two", 2)


@pytest.fixture
def rita(group_one: Group) -> CrewMember:
    """Road captain of group one, who can take over another group's bike."""
    return CrewMember.objects.create(group=group_one, name="Rita", role=CrewMember.Role.ROAD_CAPTAIN)


@pytest.fixture
def tom(group_one: Group) -> CrewMember:
    """Tail-gunner of group one."""
    return CrewMember.objects.create(group=group_one, name="Tom", role=CrewMember.Role.TAIL_GUNNER)


@pytest.fixture
def sue(group_one: Group) -> CrewMember:
    """Supervisor of group one."""
    return CrewMember.objects.create(group=group_one, name="Sue", role=CrewMember.Role.SUPERVISOR)


@pytest.fixture
def gus(group_two: Group) -> CrewMember:
    """Road captain of group two."""
    return CrewMember.objects.create(group=group_two, name="Gus", role=CrewMember.Role.ROAD_CAPTAIN)


@pytest.fixture
def contest(event: Event) -> Contest:
    """The ride's R.O.C.K. Yahtzee with default options; the fixture `slots` adds its turns."""
    return Contest.objects.create(
        event=event,
        name="R.O.C.K. Yahtzee",
        slug="rock-yahtzee",
        game_key="rock-yahtzee",
        rules_version=1,
    )


def change_game(contest: Contest, key: str, **options: Any) -> Contest:
    """Return the contest with another game at its five stops."""
    contest.game_key, contest.options = key, {"turns": 5, **options}
    contest.name = translate(contest.game.name)
    contest.save()
    return contest


@pytest.fixture
def slots(contest: Contest, stops: list[Stop]) -> list[Slot]:
    """Turns 1 to 5 of the contest, the last two at the finale."""
    by_name = {stop.name: stop for stop in stops}
    return Slot.objects.bulk_create(
        [Slot(contest=contest, stop=by_name[name], ordinal=ordinal) for ordinal, name in enumerate(SLOTS_AT, 1)]
    )


@pytest.fixture
def bikes(event: Event, group_one: Group, group_two: Group) -> Mapping[int, Bike]:
    """Bikes 1 to 8 by number, each with its rider; Zoe is the passenger of bike 2."""
    bikes = Bike.objects.bulk_create(
        [
            Bike(event=event, number=number, make="Honda", group=group_one if number <= 4 else group_two)
            for number in range(1, 9)
        ]
    )
    people = [
        Player(event=event, name=name, bike=bike, role=Player.Role.RIDER)
        for name, bike in zip(RIDERS, bikes, strict=True)
    ]
    people.append(Player(event=event, name="Zoe", bike=bikes[1], role=Player.Role.PASSENGER))
    Player.objects.bulk_create(people)
    return {bike.number: bike for bike in bikes}


@dataclass(frozen=True)
class Ride:
    """The whole ride."""

    event: Event
    stops: list[Stop]
    contest: Contest
    slots: list[Slot]
    group_one: Group
    group_two: Group
    bikes: Mapping[int, Bike]
    rita: CrewMember
    tom: CrewMember
    sue: CrewMember
    gus: CrewMember


@pytest.fixture
def ride(
    event: Event,
    stops: list[Stop],
    contest: Contest,
    slots: list[Slot],
    group_one: Group,
    group_two: Group,
    bikes: Mapping[int, Bike],
    rita: CrewMember,
    tom: CrewMember,
    sue: CrewMember,
    gus: CrewMember,
) -> Ride:
    """The whole ride, ready to roll; no turns are recorded."""
    return Ride(event, stops, contest, slots, group_one, group_two, bikes, rita, tom, sue, gus)


@pytest.fixture
def sign_in(db: None) -> SignIn:
    """Return a function that makes a browser in which the organiser is signed in: `sign_in(alice)`."""

    def make(user: User) -> Client:
        client = Client()
        client.cookies = _start_session(user)
        return client

    return make


def _start_session(user: User) -> SimpleCookie:
    client = Client()
    client.force_login(user)
    record_session_use(user, client.session.session_key, "")
    return client.cookies


@pytest.fixture
def crew_client(db: None) -> CrewClient:
    """Return a function that makes a phone of the crew member: `crew_client(rita)`."""

    def make(member: CrewMember) -> Client:
        client = Client()
        client.cookies[DEVICE_COOKIE] = _add_phone(member)
        return client

    return make


def _add_phone(member: CrewMember) -> str:
    _device, token = create_device(member)
    return token


@pytest.fixture
def without_guards(db: None) -> None:
    """Remove the database's append-only guards, as a superuser could. The rollback after the test restores them."""
    guards.remove_guards()


@pytest.fixture
def pig_race(settings: Settings) -> None:
    """Install the toy game with its templates."""
    settings.EXTRA_GAMES = ["tests.games.toy"]
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], TOY_TEMPLATES]} for engine in settings.TEMPLATES]
