"""A ride with results to show: the fixtures of the standings' tests, and games at its tables."""

from __future__ import annotations

from uuid import UUID

import pytest

from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.services.follow import follow_contest
from tests.games.drag_rage.table import quick
from tests.scorekeeper.scorecards.conftest import desk, note
from tests.scorekeeper.standings.conftest import close, cut, follow, level
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, act, deal, look, people, pig, set_up, throw

__all__ = ["act", "close", "cut", "deal", "desk", "follow", "level", "look", "note", "people", "pig"]

RUN = ["C", 2, 3, 4, 5, 6]


@pytest.fixture
def campfire(event: Event) -> Contest:
    """Rogue to 250 points at the campfire, for players."""
    return set_up(event, "rogue", "Campfire", 2, options={"target": 250})


@pytest.fixture
def campfires(campfire: Contest, deal: Deal, act: Act) -> list[UUID]:
    """Three tables: Ann and Ben have played theirs, 250 to 300; Cleo, Dan and Eve are at it, Finn and Gail waiting."""
    cards = [deal(*names, contest=campfire) for names in (("Ann", "Ben"), ("Cleo", "Dan", "Eve"), ("Finn", "Gail"))]
    for table, seats in ((cards[0], (0, 1)), (cards[1], (0,))):
        for seat in seats:
            first, then = (RUN, []) if seat == 0 else ([6, 6, 6, 6, 2, 3], [2, 3])
            act(table, {"seat": seat, "type": "roll", "dice": first})
            act(table, {"seat": seat, "type": "keep", "dice": RUN if seat == 0 else [6, 6, 6, 6]})
            if then:
                act(table, {"seat": seat, "type": "roll", "dice": then})
    follow_contest(campfire.pk)
    return cards


@pytest.fixture
def pigs(pig: Contest, deal: Deal, act: Act) -> None:
    """Cleo and Ben are done after two throws, Ann after three; Dan has retired after one, Eve has not thrown."""
    throws = {"Cleo": [5, 5], "Ben": [5, 5], "Ann": [4, 4, 4], "Dan": [4], "Eve": []}
    for name, dice in throws.items():
        card = deal(name)
        for die in dice:
            act(card, throw(die, die))
        if len(dice) > 1:
            act(card, BANK)
        elif dice:
            act(card, {"type": "retire"})
    follow_contest(pig.pk)


@pytest.fixture
def strip(event: Event) -> Contest:
    """Drag Rage on the strip, for players."""
    return set_up(event, "drag-rage", "The strip", 3)


@pytest.fixture
def races(strip: Contest, deal: Deal, act: Act) -> list[UUID]:
    """Ann has won two heats against Ben and one against Cleo; Ben against Cleo has not begun."""
    pairs = {("Ann", "Ben"): quick(0) + quick(0), ("Cleo", "Ann"): quick(1), ("Ben", "Cleo"): []}
    cards = []
    for pair, actions in pairs.items():
        cards.append(deal(*pair, contest=strip))
        for action in actions:
            act(cards[-1], action)
    follow_contest(strip.pk)
    return cards
