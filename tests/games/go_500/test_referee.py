"""Random races, checked by a referee that is written from the rule book and shares no code with the rules.

The referee walks through a legal log and adds up the score; it does not check what is allowed. On its dice a number is
worth itself and a word is worth 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.go_500 import GAME
from tests.games.sampling import walk

HOUSE: dict[str, Any] = {"rerolls": 20}
# Two faces on a die, so that six circled faces occur now and then, and limits low enough for all the red rolls.
CIRCLES: dict[str, Any] = {
    "course": {"name": "Low", "segments": [{"name": str(limit), "limit": limit} for limit in (None, 30, 5, 0)]},
    "kit": {
        "black": [{"face": "20", "value": 20, "circled": True}, {"face": "30", "value": 30, "circled": True}],
        "green": [{"face": "flat", "value": 0}, {"face": "25", "value": 25, "circled": True}],
    },
}


class Retired(Exception):
    """The player has retired."""


class Referee:
    """Adds up one player's race."""

    def __init__(self, limits: list[int | None], circled_black: set[int], actions: list[dict[str, Any]]) -> None:
        self.limits = limits
        self.circled_black = circled_black
        self.actions = iter(actions)
        self.faces = self.penalty_faces()
        self.is_out = False

    def race(self) -> int:
        total = 0
        try:
            for limit in self.limits:
                while not self.is_out:
                    points, has_extra_turn = self.turn(limit)
                    total += points
                    if not has_extra_turn:
                        break
        except Retired:
            pass
        return total

    def turn(self, limit: int | None) -> tuple[int, bool]:
        """Return the score of a turn, and whether it earned an extra turn."""
        chosen = self.next_action()
        locked, is_first_of_six = 0, chosen["black"] + chosen["green"] == 6
        while True:
            shown, then = self.settled(self.next_action())
            black, green = shown.get("black", []), shown.get("green")
            if is_first_of_six and green == 25 and self.circled_black.issuperset(black):
                return 175, True
            is_first_of_six = False
            total = locked + sum(worth(face) for face in (*black, green))
            if shown["flag"] == "black":
                return 0, False
            if shown["flag"] == "yellow":
                return total + worth(next(self.faces)), False
            if shown["flag"] == "red":
                return total + self.red(), False
            if limit is not None and total > limit:
                return total + sum(self.red() for _ in range(count_red_rolls(total - limit))), False
            if then["type"] == "stand":
                return total, False
            locked += sum(worth(face) for face in then.get("black", []))
            locked += worth(green) if then.get("green") else 0
            is_green_left = green not in (None, "flat") and not then.get("green")
            if len(then.get("black", [])) == len(black) and not is_green_left:
                return locked, False

    def red(self) -> int:
        """Return the penalty of one red roll, including a second roll if it calls for one."""
        face = next(self.faces)
        if face in ("crash", "x"):
            face = next(self.faces)
            self.is_out = self.is_out or face == "x"
        return worth(face)

    def penalty_faces(self) -> Iterator[int | str]:
        """Yield the accepted penalty dice one by one, however they were recorded."""
        while True:
            entry = self.next_action()
            if "faces" in entry:
                yield from entry["faces"]
            else:
                yield self.settled(entry)[0]["face"]

    def settled(self, entry: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the roll after all rerolls, and the action that followed it."""
        following = self.next_action()
        while following["type"] == "reroll":
            entry, following = following, self.next_action()
        return entry, following

    def next_action(self) -> dict[str, Any]:
        action = next(self.actions)
        if action["type"] == "retire":
            raise Retired
        return action


def worth(face: object) -> int:
    return face if isinstance(face, int) else 0


def count_red_rolls(excess: int) -> int:
    """How often the red die is rolled for so much above the limit."""
    printed = ((20, 1), (40, 2), (60, 4), (80, 7), (100, 11), (120, 16))
    return max((rolls for least, rolls in printed if excess >= least), default=0)


@pytest.mark.parametrize(
    ("options", "limits", "circled_black"),
    [(HOUSE, [None, 90, None, 60, 110, None], {30}), (CIRCLES, [None, 30, 5, 0], {20, 30})],
    ids=["house", "circles"],
)
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_random_race_scores_what_the_referee_adds_up(
    options: dict[str, Any], limits: list[int | None], circled_black: set[int], seed: int
) -> None:
    end = list(walk(GAME.ruleset(options), 1, Random(seed)))[-1]
    assert GAME.standing(end.state, 0).total == Referee(limits, circled_black, end.log).race()
