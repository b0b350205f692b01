"""Grand Prix, a solo race over four circuits: dice below the gear drive the car, missed sections damage it.

The rules are in `rulebook.md`; clauses are cited by number, ``GP-6``.
"""

from games.grand_prix.game import GAME

__all__ = ["GAME"]
