"""R.O.C.K. Yahtzee, the game of the club ride: five scored turns, spread over the stops of a ride.

The rules are in `rulebook.md`; clauses are cited by number, ``ROCK-14``.
"""

from games.rock_yahtzee.game import GAME

__all__ = ["GAME"]
