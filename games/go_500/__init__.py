"""Go 500, a motor race against the clock: a course of segments, rolled one by one.

The rules are in `rulebook.md`; clauses are cited by number, ``GO-13``.
"""

from games.go_500.game import GAME

__all__ = ["GAME"]
