"""The consequences of a series of actions as texts, for the tests of all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.game import Ruleset

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def list_consequence_texts(ruleset: Ruleset, seats: int, actions: Sequence[Any]) -> list[list[str]]:
    """Return the consequences of each action as "Text (CLAUSE)"; all actions must be legal."""
    game, texts = ruleset.game, []
    state = game.start(ruleset, seats)
    for data in actions:
        action = ruleset.read_action(data, seats)
        after = game.play(state, action)
        consequences = game.consequences(state, action, after)
        texts.append([f"{consequence.fill(NAMES)} ({consequence.rule})" for consequence in consequences])
        state = after
    return texts


def get_last_consequences(ruleset: Ruleset, seats: int, actions: Sequence[Any]) -> list[str]:
    """Return the consequences of the last of these actions."""
    return list_consequence_texts(ruleset, seats, actions)[-1]
