"""The chances of final totals where nobody has anything to decide: one throw a turn, or all throws and the best counts.

All turns still to come are then alike and independent, and only the best of all turns are added (DICE-7). Values are
looked at from the best one down. All that matters on the way is how many turns were better, since those are the first
to be added, and their sum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import factorial

from games.core.time_limit import TimeLimit
from games.dice_run.odds.throws import Chances


def get_totals(
    ended: Sequence[int], running: Chances | None, coming: Chances, left: int, counts: int, limit: TimeLimit
) -> dict[int, float]:
    """Return the chances of the sum of the best turns.

    Args:
        ended: the points of the turns that have ended.
        running: the chances of the points of the turn that is running, if one is.
        coming: the chances of the points of each turn after that.
        left: how many of these there are.
        counts: how many turns are added.

    Raises:
        OutOfTime: it takes too long.
    """
    if counts >= len(ended) + (running is not None) + left:
        return _add_all(sum(ended), running, coming, left, limit)
    have = Counter(ended)
    running = running or {}
    # By how many of the coming turns were better, and whether the running one was: the chances of their sum.
    states: dict[tuple[int, bool], dict[int, float]] = {(0, not running): {0: 1.0}}
    better_ended = 0
    for points in sorted({*have, *running, *coming}, reverse=True):
        limit.check()
        after: dict[tuple[int, bool], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for (better, is_over), sums in states.items():
            open_places = max(counts - better_ended - better - (is_over and bool(running)), 0)
            for own, share, is_now_over in _list_running(running.get(points, 0.0), is_over=is_over):
                for more in range(left - better + 1):
                    weight = share * coming.get(points, 0.0) ** more / factorial(more)
                    if weight:
                        shift = points * min(have[points] + own + more, open_places)
                        target = after[better + more, is_now_over]
                        for total, chance in sums.items():
                            target[total + shift] += chance * weight
        states = dict(after)
        better_ended += have[points]
    ways = factorial(left)
    return {total: chance * ways for total, chance in sorted(states[left, True].items())}


def _list_running(chance: float, *, is_over: bool) -> list[tuple[int, float, bool]]:
    """Return how many of the running turn have these points, with what chance, and whether it is counted by then."""
    if is_over:
        return [(0, 1.0, True)]
    return [(0, 1.0, False), (1, chance, True)] if chance else [(0, 1.0, False)]


def _add_all(start: int, running: Chances | None, coming: Chances, left: int, limit: TimeLimit) -> dict[int, float]:
    totals = {start: 1.0}
    for turn in [*([running] if running else []), *[coming] * left]:
        limit.check()
        after: dict[int, float] = defaultdict(float)
        for total, chance in totals.items():
            for points, own in turn.items():
                after[total + points] += chance * own
        totals = dict(after)
    return dict(sorted(totals.items()))
