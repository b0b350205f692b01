"""Rogue, a push-on dice game to 2,000 points with a war at 1,812.

The rules are in `rulebook.md`; clauses are cited by number, ``ROGUE-14``.
"""

from games.rogue.game import GAME

__all__ = ["GAME"]
