"""The consequences of actions, in the game's words: shown after an action, and before one that a single tap records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.game import Ruleset
from games.core.problems import Malformed, is_blocked
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS


def describe_consequences(
    ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> str:
    """Return the consequences of actions in one line, as far as the rules allow the actions; "" if there are none.

    Args:
        state: of the game just before the first of the actions.
        names: of the seats.
    """
    game = ruleset.game
    sentences: list[str] = []
    for data in actions:
        try:
            action = ruleset.read_action(data, game.seats(state))
        except Malformed:
            break
        if is_blocked(game.problems(state, action)):
            break
        after = game.apply(state, action)
        sentences += [
            consequence.fill(names, ACTIVE_TRANSLATIONS) for consequence in game.consequences(state, action, after)
        ]
        state = after
    return " ".join(sentences)
