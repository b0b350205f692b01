"""The chances of places: who may still win, from what each card may still end with.

Only ended turns are read, so that the chances are no advice for a running one.

Cards are independent: each ends with a final total by its own `Distribution`. Level cards are settled by drawing
playing cards, where each is as likely as another to come first. So every card gets a *lot*, a number between 0 and 1,
and of level cards the one with the higher lot is ahead. Given one card's total and lot, the others are ahead of it
independently of each other, which is what makes the calculation small; the mean over its lot is taken at a few nodes of
a Gauss-Legendre rule: the more cards are likely to be level, the more nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import cos, pi
from typing import Any, NamedTuple, TypeVar

from games.core.actions import Action
from games.core.game import Ruleset
from games.core.odds import Distribution

FEWEST_NODES, MOST_NODES = 8, 100
NEGLIGIBLE = 1e-18

C = TypeVar("C", bound=Hashable)


def play_ended_turns(ruleset: Ruleset, actions: Iterable[Action]) -> Any:
    """Return the state of a seat by itself before its running turn, or now if no turn is running.

    Args:
        ruleset: of a game whose seats never affect each other.
        actions: all that the seat has done, in order, with the seat 0.
    """
    game = ruleset.game
    state = ended = game.start(ruleset, 1)
    for action in actions:
        state = game.apply(state, action)
        if game.is_between_turns(state, 0):
            ended = state
    return ended


class PlaceChances(NamedTuple):
    """The chances of one card: to come first, and to be among the first `top`."""

    win: float
    among_top: float


def list_place_chances(distributions: Mapping[C, Distribution], top: int = 3) -> dict[C, PlaceChances]:
    """Return the chances of every card.

    Cards with the same distribution share them, so many cards that have not started cost no more than one.

    Args:
        distributions: what each card may end with; a retired card is left out, since it ranks below all others.
        top: how many places the second chance is about.
    """
    groups = Counter(distributions.values())
    kinds = [_Kind(distribution, count) for distribution, count in groups.items()]
    found = dict(zip(groups, _list_chances(kinds, top), strict=True))
    return {card: found[distribution] for card, distribution in distributions.items()}


class _Kind:
    """Cards that have the same distribution."""

    def __init__(self, distribution: Distribution, count: int):
        self.count = count
        self._lowest = distribution.lowest
        self._chances = distribution.chances
        self._above = [*accumulate(reversed(distribution.chances), initial=0.0)][::-1]

    def get_chance(self, total: int) -> float:
        """Return the chance of exactly this total."""
        index = total - self._lowest
        return self._chances[index] if 0 <= index < len(self._chances) else 0.0

    def get_chance_above(self, total: int) -> float:
        """Return the chance of a higher total."""
        index = total + 1 - self._lowest
        return self._above[min(max(index, 0), len(self._above) - 1)] if index < len(self._above) else 0.0

    @property
    def totals(self) -> range:
        """The totals that are possible."""
        return range(self._lowest, self._lowest + len(self._chances))


def _list_chances(kinds: Sequence[_Kind], top: int) -> list[PlaceChances]:
    counts = [kind.count for kind in kinds]
    won = [0.0] * len(kinds)
    placed = [0.0] * len(kinds)
    for total in range(min(k.totals.start for k in kinds), max(k.totals.stop for k in kinds)) if kinds else ():
        level = [kind.get_chance(total) for kind in kinds]
        above = [kind.get_chance_above(total) for kind in kinds]
        ending_here = [index for index, chance in enumerate(level) if chance]
        if not ending_here:
            continue
        likely_level = sum(kind.count * chance for kind, chance in zip(kinds, level, strict=True))
        for lot, weight in list_nodes(min(FEWEST_NODES + int(likely_level), MOST_NODES)):
            ahead = [a + chance * (1 - lot) for a, chance in zip(above, level, strict=True)]
            all_cards = _multiply(ahead, counts, top)
            if not all_cards:
                continue
            for index in ending_here:
                share, chance = level[index] * weight, ahead[index]
                if chance <= 0.5:
                    others = _take_one_away(all_cards, chance)
                else:  # dividing by the small chance to be behind would multiply what was rounded
                    others = _multiply(ahead, [count - (at == index) for at, count in enumerate(counts)], top)
                if others:
                    won[index] += share * others[0]
                    placed[index] += share * sum(others)
    return [PlaceChances(min(win, 1.0), min(place, 1.0)) for win, place in zip(won, placed, strict=True)]


def _multiply(ahead: Sequence[float], counts: Sequence[int], top: int) -> list[float]:
    """Return the chances that none, one, ... of the cards are ahead, up to `top` - 1 of them; empty if all are tiny.

    Args:
        ahead: the chance of a card of each kind to be ahead.
        counts: how many cards of each kind there are.
    """
    found = [1.0] + [0.0] * (top - 1)
    for chance, count in zip(ahead, counts, strict=True):
        if not chance:
            continue
        behind = 1 - chance
        for _ in range(count):
            found = [found[0] * behind, *[own * behind + less * chance for less, own in pairwise(found)]]
        if sum(found) < NEGLIGIBLE:
            return []
    return found


def _take_one_away(found: Sequence[float], chance: float) -> list[float]:
    """Return the chances without one card that is ahead with this chance."""
    behind, less = 1 - chance, 0.0
    without = []
    for value in found:
        less = (value - less * chance) / behind
        without.append(less)
    return without


@cache
def list_nodes(count: int) -> tuple[tuple[float, float], ...]:
    """Return the nodes and weights of the Gauss-Legendre rule between 0 and 1."""
    nodes = []
    for index in range(count):
        x = cos(pi * (index + 0.75) / (count + 0.5))
        slope = 1.0
        for _ in range(50):  # Newton's method; it converges in a few steps
            value, before = 1.0, 0.0
            for degree in range(count):
                value, before = ((2 * degree + 1) * x * value - degree * before) / (degree + 1), value
            slope = count * (x * value - before) / (x * x - 1)
            step = value / slope
            x -= step
            if abs(step) < 1e-16:
                break
        nodes.append(((1 - x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return tuple(nodes)
