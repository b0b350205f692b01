"""Dice run: dice at every stop of a ride, and the sum decides.

The rules are in `rulebook.md`; clauses are cited by number, ``DICE-7``.
"""

from games.dice_run.game import GAME

__all__ = ["GAME"]
