"""What a player comes to who drives on alone, because the other car has crossed and no challenge is possible any more.

Nothing is left to chance then. The counters that the player can still play take the car to certain spaces, and the
rules say what each is worth. The order of the counters does not matter: a car that crosses before the last of them has
played fewer, and that is never worse.
"""

from __future__ import annotations

from functools import lru_cache

from games.drag_rage.heat_results import judge_move
from games.drag_rage.odds.unused import list_sums
from games.drag_rage.state import FINISH, LAST, START, Car, FinishedHeat

WIN, DEAD_HEAT, LOSS = 1.0, 0.5, 0.0
BROKEN = LAST + 1  # any space beyond the track
INTACT = (1 << BROKEN - FINISH) - 1  # the spaces between, as bits


def get_value(heat: FinishedHeat, seat: int) -> float:
    """Return what a finished heat is worth to a seat."""
    return DEAD_HEAT if heat.winner is None else WIN if heat.winner == seat else LOSS


def get_alone_value(own: int, other: int, behind: int, unused: int) -> float:
    """Return the value for a player on the track who must advance alone.

    Args:
        own: the space of the player's car.
        other: the space of the car that has crossed.
        behind: how many counters more the other has played.
        unused: the set of unused counters.
    """
    count = unused.bit_count()
    if other > LAST:  # the number of counters does not count (DRAG-24)
        return _find_best_crossing(own, BROKEN, 0, count, unused)
    return _find_best_crossing(own, other, min(behind, count + 1), min(behind, count), unused)


@lru_cache(maxsize=1 << 18)
def _find_best_crossing(own: int, other: int, behind: int, most: int, unused: int) -> float:
    """Return the value of the best crossing with at most so many counters."""
    sums, best = list_sums(unused), LOSS
    for played in range(1, most + 1):
        reached = sums[played] << own >> FINISH
        for space in range(FINISH, BROKEN) if reached & INTACT else ():
            if reached >> space - FINISH & 1:
                best = max(best, _judge_crossing(space, other, behind - played))
        if reached > INTACT and best < DEAD_HEAT:
            best = max(best, _judge_crossing(BROKEN, other, behind - played))
        if best == WIN:
            break
    return best


@lru_cache(maxsize=1 << 12)
def _judge_crossing(own: int, other: int, behind: int) -> float:
    """Return what it is worth to cross to a space, if the other has then played so many counters more."""
    played = max(0, -behind)
    finished = judge_move((Car(own, played), Car(other, played + behind)), 0, frozenset())
    assert finished is not None
    return get_value(finished, 0)


@lru_cache(maxsize=1 << 8)
def is_won_by_crossing(space: int, lead: int) -> bool:
    """Return whether a car that crosses while the other has not wins at once, with so many counters more than it."""
    played = max(0, lead)
    return judge_move((Car(space, played), Car(START, played - lead)), 0, frozenset()) is not None
