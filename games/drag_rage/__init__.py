"""Drag Rage: two dragsters, eleven counters that both players share, and a roll to call a bluff.

The rules are in `rulebook.md`; clauses are cited by number, ``DRAG-13``.
"""

from games.drag_rage.game import GAME

__all__ = ["GAME"]
