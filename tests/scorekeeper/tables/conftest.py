"""A contest of the toy game at the tables, with everybody at the ride as its players."""

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
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.selectors.folding import get_table
from scorekeeper.tables.services.dealing import deal_tables
from scorekeeper.tables.services.playing import ActionNote, record_action
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.scorecards.conftest import desk

__all__ = ["desk"]

Deal = Callable[..., UUID]
Act = Callable[..., Receipt]
Look = Callable[[UUID], SeatedTable]

BANK: Mapping[str, Any] = {"type": "bank"}


def throw(*dice: int) -> dict[str, Any]:
    return {"type": "throw", "dice": list(dice)}


def set_up(event: Event, key: str, name: str, ordinal: int, **more: Any) -> Contest:
    """A contest for players: `set_up(event, "rogue", "Campfire", 2)`."""
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
def pig(event: Event, settings: Settings) -> Contest:
    """A pig race to 20, fewest throws win, a card a player."""
    settings.EXTRA_GAMES = ["tests.games.toy", "tests.games.duel"]
    return set_up(event, "pig-race", "Pig race", 2)


@pytest.fixture
def duel(event: Event, pig: Contest) -> Contest:
    """Pig races of two; anybody may have several cards."""
    return set_up(event, "pig-duel", "Pig duel", 3)


@pytest.fixture
def rogue(event: Event) -> Contest:
    """Two or more play in turn."""
    return set_up(event, "rogue", "Campfire", 4)


@pytest.fixture
def organiser(alice: User, ride: Ride, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


@pytest.fixture
def people(ride: Ride) -> Mapping[str, Player]:
    """Everybody at the ride, by name."""
    return {player.name: player for player in ride.event.players.all()}


@pytest.fixture
def deal(desk: Actor, pig: Contest, people: Mapping[str, Player]) -> Deal:
    """Draw up one card and return its id: `deal("Ann")`."""

    def make(*names: str, contest: Contest = pig) -> UUID:
        operation = uuid4()
        deal_tables(desk, operation, contest.pk, [[people[name].pk for name in names]])
        return uuid5(operation, "0")

    return make


@pytest.fixture
def deal_game(event: Event, deal: Deal) -> Deal:
    """Draw up a card of another game and return its id: `deal_game("rogue", "Ben", "Cleo", target=20)`."""

    def make(key: str, *names: str, **options: Any) -> UUID:
        contest = set_up(event, key, key.title(), 3, options=options)
        return deal(*names, contest=contest)

    return make


@pytest.fixture
def look(event: Event) -> Look:
    """Return a table as it stands."""

    def at(card_id: UUID) -> SeatedTable:
        table = get_table(event, card_id)
        assert table is not None
        return table

    return at


@pytest.fixture
def act(desk: Actor, look: Look) -> Act:
    """Note one action after what stands: `act(card, throw(6, 6))`."""

    def note(card_id: UUID, action: Mapping[str, Any], *, by: Actor = desk, seen: int | None = None) -> Receipt:
        length = look(card_id).length if seen is None else seen
        return record_action(by, uuid4(), ActionNote(card_id, length, [action]))

    return note


@pytest.fixture
def pigs(deal: Deal) -> UUID:
    """Ann's card of the pig race."""
    return deal("Ann")


@pytest.fixture
def campfire(deal_game: Deal) -> UUID:
    """The card of Ben, who begins, and Cleo at Rogue."""
    return deal_game("rogue", "Ben", "Cleo")


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Any:
    """Rita's phone."""
    return crew_client(ride.rita)
