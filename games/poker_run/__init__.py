"""Poker run: a card at every stop of a ride, and the best five of them make the hand.

The rules are in `rulebook.md`; clauses are cited by number, ``POKER-7``.
"""

from games.poker_run.game import GAME

__all__ = ["GAME"]
