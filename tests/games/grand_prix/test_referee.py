"""Random drives, checked by a referee that walks every space and shares no code with the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.game import Ruleset
from games.grand_prix import GAME
from tests.games.grand_prix.options import OPTIONS
from tests.games.sampling import walk

RULESETS = [GAME.ruleset(), *map(GAME.ruleset, OPTIONS)]


class Referee:
    """One seat's paper sheet: the marks on it, and the position of the car."""

    def __init__(self, sheet: Any) -> None:
        self.circuits = sheet["circuits"]
        self.costs = {name: special["cost"] for name, special in sheet["specials"].items()}
        self.free = {name: special["free"] for name, special in sheet["specials"].items()}
        self.places: list[int] = []
        self.unused: list[int] = []
        self.begin_circuit()

    def begin_circuit(self) -> None:
        self.here = self.circuits[len(self.places)]
        self.section_of = [number for number, size in enumerate(self.here["sections"]) for _ in range(size)]
        self.unused.append(self.here["damage"])
        self.finger, self.marked = 0, 0
        self.settled = {0, len(self.here["sections"]) - 1}  # landed in, paid for, or beside the flag

    def use(self, special: str) -> None:
        if self.free[special]:
            self.free[special] -= 1
            return
        for _ in range(self.costs[special]):
            earliest = next(number for number, left in enumerate(self.unused) if left)
            self.unused[earliest] -= 1

    def watch(self, action: dict[str, Any]) -> None:
        if action["type"] == "gear":
            self.gear, self.dice, self.driving = action["gear"], list[int](), range(1, action["gear"])
            self.marked += 1
        elif action["type"] == "move":
            self.move()
        else:
            self.roll(action)
        for special in ("shift", "include"):
            if action.get(special):
                self.use(special)
        if action.get("include"):
            self.driving = range(1, self.gear + 1)

    def roll(self, action: dict[str, Any]) -> None:
        if action["type"] in self.free:
            self.use(action["type"])
        for die in action.get("reroll", list(self.dice)):
            self.dice.remove(die)
        self.dice += action["dice"]

    def move(self) -> None:
        passed = set()
        for _ in [die for die in self.dice if die in self.driving]:
            if 1 <= self.finger <= len(self.section_of):
                passed.add(self.section_of[self.finger - 1])
            self.finger += 1
        is_there = self.finger > len(self.section_of)
        if self.finger and not is_there:
            self.settled.add(self.section_of[self.finger - 1])
        missed = passed - self.settled
        self.settled |= missed
        damage = sum(self.gear for _ in missed)
        has_room = damage <= self.unused[-1]
        self.unused[-1] = self.unused[-1] - damage if has_room else 0
        if not has_room:
            self.end_circuit(20)
        elif is_there:
            self.end_circuit(0)
        elif self.marked == self.here["time"]:
            self.end_circuit(len(self.section_of) + 1 - self.finger)

    def end_circuit(self, place: int) -> None:
        self.places.append(place)
        if len(self.places) < len(self.circuits):
            self.begin_circuit()


@pytest.mark.parametrize("ruleset", RULESETS, ids=("house", "corners", "kart"))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_drive_matches_what_a_finger_on_the_sheet_counts(ruleset: Ruleset, seed: int) -> None:
    """GP-1, GP-2, GP-4, GP-6, GP-7, GP-8, GP-9, GP-11, GP-14, GP-15, GP-16, GP-17"""
    referee = Referee(ruleset.options["sheet"])
    watched = 0
    for moment in walk(ruleset, 1, Random(seed)):
        for action in moment.actions[watched:]:
            if action["type"] != "retire":
                referee.watch(action)
        watched = moment.number
        (drive,) = moment.state.seats
        assert list(drive.places) == referee.places
        assert list(drive.unused) == referee.unused
        assert list(drive.free) == [referee.free[name] for name in ("reroll", "include", "select", "shift")]
        assert GAME.standing(moment.state, 0).total == sum(referee.places)
