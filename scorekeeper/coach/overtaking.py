"""The total to overtake. Only the standings know it, and they come later in the import order, so they register here.

A phone has no standings, so it has no such total.
"""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.events.models import Contest

FindNextTotal = Callable[[Contest, int], int | None]

_finders: list[FindNextTotal] = []


def register_finder(find: FindNextTotal) -> None:
    """Register the function that finds the next better total of a contest, as the audience may see it."""
    _finders[:] = [find]


def find_target(contest: Contest, total: int) -> int | None:
    """Return the final total that overtakes the next place ahead of a total, as things stand.

    Returns:
        None for the leader, where a card is not the whole total, and where the game does not answer it.
    """
    if not (_finders and contest.game.odds_distribution) or contest.game.many_cards:
        return None
    ahead = _finders[0](contest, total)
    return None if ahead is None else ahead + (-1 if contest.game.lowest_wins else 1)
