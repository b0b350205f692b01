"""The actions of a game that a closing records: the one that ends a turn as missed, and the one that closes a card."""

from __future__ import annotations

from typing import Any

from games.core.game import Ruleset


def get_missed_action(ruleset: Ruleset) -> str | None:
    """Return the action that ends a turn as missed and has no required fields; None in games without one."""
    game = ruleset.game
    start = game.start(ruleset, 1)
    for spec in game.legal_actions(start, 0):
        if any(field.required for field in spec.fields):
            continue
        turns = game.turns(game.apply(start, ruleset.read_action({"type": spec.type}, 1)), 0)
        if turns and turns[-1].how == "missed":
            return spec.type
    return None


def get_closing_action(ruleset: Ruleset, state: Any) -> str | None:
    """Return the action that ends a card after its last turn, such as buying no more; None if the card is over.

    Args:
        state: of a card with one seat that has all its turns.
    """
    for spec in ruleset.game.legal_actions(state, 0):
        if spec.type in ruleset.game.closing_types and not any(field.required for field in spec.fields):
            return spec.type
    return None
