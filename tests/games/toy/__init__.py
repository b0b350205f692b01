"""Pig race, a toy game for the tests of what holds in every game. EXTRA_GAMES brings it in.

Each seat throws one die or two as often as it likes and banks the sum; a 1 loses what is not banked (PIG-1).
Who has banked the goal, or thrown too often, is done (PIG-2); fewest throws win, and level seats stay level
(PIG-3). Banking twice as much is possible once, on an even sum (PIG-4).
"""

from tests.games.toy.game import GAME

__all__ = ["GAME"]
