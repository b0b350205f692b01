"""What a play brings about, in words: for the tests of every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.game import Ruleset

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def list_consequence_texts(ruleset: Ruleset, seats: int, actions: Sequence[Any]) -> list[list[str]]:
    """Return for each action, all of them legal, what it brings about: "Text (CLAUSE)"."""
    game, told = ruleset.game, []
    state = game.start(ruleset, seats)
    for data in actions:
        action = ruleset.read_action(data, seats)
        after = game.play(state, action)
        told.append([f"{one.fill(NAMES)} ({one.rule})" for one in game.consequences(state, action, after)])
        state = after
    return told


def get_last_consequences(ruleset: Ruleset, seats: int, actions: Sequence[Any]) -> list[str]:
    """Return what the last of these actions brings about."""
    return list_consequence_texts(ruleset, seats, actions)[-1]
