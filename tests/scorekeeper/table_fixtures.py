"""Fixtures: table contests with everyone at the ride as players, and helpers to create tables and record actions.

A folder's conftest imports those that its tests use; `desk` is in `scorecards/conftest.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.text import slugify
from pytest_django import Settings

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.players.models import Player
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.tables import get_table
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.tables.services import create_tables
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn

AddTable = Callable[..., UUID]
AddAction = Callable[..., Receipt]
ReadTable = Callable[[UUID], TableWithEntrants]

BANK: Mapping[str, Any] = {"type": "bank"}


def make_throw(*dice: int) -> dict[str, Any]:
    return {"type": "throw", "dice": list(dice)}


def make_contest(event: Event, key: str, name: str, ordinal: int, **more: Any) -> Contest:
    """Create a contest for players: `make_contest(event, "rogue", "Campfire", 2)`."""
    return Contest.objects.create(
        event=event,
        name=name,
        slug=slugify(name),
        ordinal=ordinal,
        game_key=key,
        rules_version=1,
        seats_are=Contest.SeatsAre.PLAYERS,
        **more,
    )


@pytest.fixture
def pig_contest(event: Event, settings: Settings) -> Contest:
    """A pig race to 20; fewest throws win; each player has one table."""
    settings.EXTRA_GAMES = ["tests.games.toy", "tests.games.duel"]
    return _make_pig_contest(event)


def _make_pig_contest(event: Event) -> Contest:
    return make_contest(event, "pig-race", "Pig race", 2)


@pytest.fixture
def duel_contest(event: Event, pig_contest: Contest) -> Contest:
    """Pig races of two; everyone may have several tables."""
    return make_contest(event, "pig-duel", "Pig duel", 3)


@pytest.fixture
def rogue_contest(event: Event) -> Contest:
    """A Rogue contest, in which two or more play in turn."""
    return make_contest(event, "rogue", "Campfire", 4)


@pytest.fixture
def organiser(alice: User, ride: Ride, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


@pytest.fixture
def people(ride: Ride) -> Mapping[str, Player]:
    """Everyone at the ride, by name."""
    return {player.name: player for player in ride.event.players.all()}


@pytest.fixture
def add_table(desk: Actor, pig_contest: Contest, people: Mapping[str, Player]) -> AddTable:
    """Create one table and return its id: `add_table("Ann")`."""

    def make(*names: str, contest: Contest = pig_contest) -> UUID:
        operation = uuid4()
        create_tables(desk, operation, contest.pk, [[people[name].pk for name in names]])
        return uuid5(operation, "0")

    return make


@pytest.fixture
def add_game_table(event: Event, add_table: AddTable) -> AddTable:
    """Create a table of another game and return its id: `add_game_table("rogue", "Ben", "Cleo", target=20)`."""

    def make(key: str, *names: str, **options: Any) -> UUID:
        contest = make_contest(event, key, key.title(), 3, options=options)
        return add_table(*names, contest=contest)

    return make


@pytest.fixture
def fetch_table(event: Event) -> ReadTable:
    """Return the current state of a table."""

    def at(card_id: UUID) -> TableWithEntrants:
        table = get_table(event, card_id)
        assert table is not None
        return table

    return at


@pytest.fixture
def add_action(desk: Actor, fetch_table: ReadTable) -> AddAction:
    """Record one action after the current ones: `add_action(card, throw(6, 6))`."""

    def add(card_id: UUID, action: Mapping[str, Any], *, by: Actor = desk, seen: int | None = None) -> Receipt:
        length = fetch_table(card_id).length if seen is None else seen
        return record_action(by, uuid4(), NewAction(card_id, length, [action]))

    return add


@pytest.fixture
def pig_table(add_table: AddTable) -> UUID:
    """Ann's table in the pig race."""
    return add_table("Ann")


@pytest.fixture
def rogue_table(add_game_table: AddTable) -> UUID:
    """The Rogue table of Ben, who starts, and Cleo."""
    return add_game_table("rogue", "Ben", "Cleo")


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Any:
    """Rita's phone."""
    return crew_client(ride.rita)
