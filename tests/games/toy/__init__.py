"""Pig race, a toy game for the conformance tests. EXTRA_GAMES adds it to the installed games.

Each seat throws one or two dice as often as it likes and banks the sum; a 1 loses what is not banked yet
(PIG-1). A seat that has banked the goal, or has no throws left, is done (PIG-2). The fewest throws win, and
tied seats stay tied (PIG-3). Once in a game, a seat can bank twice an even sum (PIG-4).
"""

from tests.games.toy.game import GAME

__all__ = ["GAME"]
