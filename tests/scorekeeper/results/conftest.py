"""A ride with results to show: the fixtures of the standings tests, and table games."""

from __future__ import annotations

from uuid import UUID

import pytest

from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.services.refresh import refresh_standings
from tests.games.drag_rage.table import win_quickly
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.table_fixtures import (
    BANK,
    AddAction,
    AddTable,
    add_action,
    add_table,
    fetch_table,
    make_contest,
    make_throw,
    people,
    pig_contest,
)

__all__ = [
    "add_action",
    "add_table",
    "add_turn",
    "close",
    "cut",
    "desk",
    "fetch_table",
    "people",
    "pig_contest",
    "tied_bikes",
    "update_standings",
]

RUN = ["C", 2, 3, 4, 5, 6]


@pytest.fixture
def rogue_contest(event: Event) -> Contest:
    """Rogue to 250 points at the campfire, for players."""
    return make_contest(event, "rogue", "Campfire", 2, options={"target": 250})


@pytest.fixture
def rogue_tables(rogue_contest: Contest, add_table: AddTable, add_action: AddAction) -> list[UUID]:
    """Three tables: Ann and Ben have finished, 250 to 300; Cleo, Dan and Eve are playing, Finn and Gail are next."""
    cards = [
        add_table(*names, contest=rogue_contest) for names in (("Ann", "Ben"), ("Cleo", "Dan", "Eve"), ("Finn", "Gail"))
    ]
    for table, seats in ((cards[0], (0, 1)), (cards[1], (0,))):
        for seat in seats:
            first, then = (RUN, []) if seat == 0 else ([6, 6, 6, 6, 2, 3], [2, 3])
            add_action(table, {"seat": seat, "type": "roll", "dice": first})
            add_action(table, {"seat": seat, "type": "keep", "dice": RUN if seat == 0 else [6, 6, 6, 6]})
            if then:
                add_action(table, {"seat": seat, "type": "roll", "dice": then})
    refresh_standings(rogue_contest.pk)
    return cards


@pytest.fixture
def pig_tables(pig_contest: Contest, add_table: AddTable, add_action: AddAction) -> None:
    """Cleo and Ben have finished after two throws, Ann after three; Dan has retired after one, Eve has not thrown."""
    throws = {"Cleo": [5, 5], "Ben": [5, 5], "Ann": [4, 4, 4], "Dan": [4], "Eve": []}
    for name, dice in throws.items():
        card = add_table(name)
        for die in dice:
            add_action(card, make_throw(die, die))
        if len(dice) > 1:
            add_action(card, BANK)
        elif dice:
            add_action(card, {"type": "retire"})
    refresh_standings(pig_contest.pk)


@pytest.fixture
def drag_contest(event: Event) -> Contest:
    """Drag Rage on the strip, for players."""
    return make_contest(event, "drag-rage", "The strip", 3)


@pytest.fixture
def drag_tables(drag_contest: Contest, add_table: AddTable, add_action: AddAction) -> list[UUID]:
    """Ann has won two heats against Ben and one against Cleo; Ben against Cleo has not started."""
    pairs = {("Ann", "Ben"): win_quickly(0) + win_quickly(0), ("Cleo", "Ann"): win_quickly(1), ("Ben", "Cleo"): []}
    cards = []
    for pair, actions in pairs.items():
        cards.append(add_table(*pair, contest=drag_contest))
        for action in actions:
            add_action(cards[-1], action)
    refresh_standings(drag_contest.pk)
    return cards
