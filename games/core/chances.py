"""The chances of places: who may still win, from what each card may still end with.

Only ended turns are read, so that the chances are no advice for a running one.

Cards are independent: each ends at a *level*, the key of its standing, by its own `Endings`. Level cards are settled by
drawing playing cards, where each is as likely as another to come first. So every card gets a *lot*, a number between 0
and 1, and of level cards the one with the higher lot is ahead. Given one card's level and lot, the others are ahead of
it independently of each other, which is what makes the calculation small; the mean over its lot is taken at a few nodes
of a Gauss-Legendre rule: the more cards are likely to be level, the more nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from math import cos, pi
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from games.core.actions import Action
from games.core.game import Ruleset
from games.core.odds import Endings

ENOUGH_NODES = ((2, 0.02), (3, 0.2), (4, 0.7))  # of lots, up to how many cards that are likely to be level
MANY_NODES, MOST_NODES = 8, 100
NEGLIGIBLE = 1e-15

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


def list_place_chances(endings: Mapping[C, Endings], top: int = 3) -> dict[C, PlaceChances]:
    """Return the chances of every card.

    Cards that may end as the same share them, so many cards that have not started cost no more than one.

    Args:
        endings: what each card may end as; a retired card is left out, since it ranks below all others.
        top: how many places the second chance is about.
    """
    groups = Counter(endings.values())
    found = dict(zip(groups, _list_chances(list(groups), list(groups.values()), top), strict=True))
    return {card: found[own] for card, own in endings.items()}


def _list_chances(kinds: Sequence[Endings], counts: Sequence[int], top: int) -> list[PlaceChances]:
    """Return the chances of each kind of card.

    Args:
        counts: how many cards of each kind there are.
    """
    won, placed, above = [0.0] * len(kinds), [0.0] * len(kinds), [0.0] * len(kinds)
    for level in _list_levels(kinds):
        # Most cards cannot end at one and the same level, so the others are looked at once, and not for every lot.
        others = [index for index, chance in enumerate(above) if chance and index not in level]
        start = _multiply([1.0, *[0.0] * (top - 1)], [(above[index], counts[index]) for index in others])
        if not start:
            break  # where so many are ahead, there are no more places for anybody at a lower level
        likely_level = sum(counts[index] * chance for index, chance in level.items())
        for lot, weight in list_nodes(_count_nodes(sum(counts[index] for index in level), likely_level)):
            ahead = {index: above[index] + chance * (1 - lot) for index, chance in level.items()}
            all_cards = _multiply(start, [(chance, counts[index]) for index, chance in ahead.items()])
            if not all_cards:
                continue
            for index, chance in ahead.items():
                if chance <= 0.5:
                    rest = _take_one_away(all_cards, chance)
                else:  # dividing by the small chance to be behind would multiply what was rounded
                    rest = _multiply(start, [(own, counts[at] - (at == index)) for at, own in ahead.items()])
                if rest:
                    won[index] += level[index] * weight * rest[0]
                    placed[index] += level[index] * weight * sum(rest)
        for index, chance in level.items():
            above[index] = min(above[index] + chance, 1.0)
    return [PlaceChances(min(win, 1.0), min(place, 1.0)) for win, place in zip(won, placed, strict=True)]


def _list_levels(kinds: Sequence[Endings]) -> Iterator[Mapping[int, float]]:
    """Yield for each key, the best first, the kinds that may end with it and their chances."""
    found = [
        (key, index, chance)
        for index, endings in enumerate(kinds)
        for key, chance in zip(endings.keys, endings.chances, strict=True)
    ]
    found.sort(key=itemgetter(0), reverse=True)
    for _, level in groupby(found, key=itemgetter(0)):
        yield {index: chance for _, index, chance in level}


def _count_nodes(cards: int, likely_level: float) -> int:
    """Return how many lots to look at.

    Args:
        cards: how many cards may be level. With twice as many as there are nodes, the mean is still exact.
        likely_level: how many are level on average. If it is small, so is what few nodes miss: up to a ten-billionth.
    """
    few = next((nodes for nodes, limit in ENOUGH_NODES if likely_level <= limit), None)
    nodes = min(MANY_NODES + int(likely_level), MOST_NODES) if few is None else few
    return min(nodes, (cards + 1) // 2)


def _multiply(found: Sequence[float], ahead: Iterable[tuple[float, int]]) -> list[float]:
    """Return the chances that none, one, ... of the cards are ahead, after more cards; empty if all are tiny.

    Args:
        found: the chances without them, for as many numbers as are of interest.
        ahead: the chance to be ahead, with the number of cards that have it.
    """
    after = list(found)
    for chance, count in ahead:
        if not chance:
            continue
        behind = 1 - chance
        for _ in range(count):
            after = [after[0] * behind, *[own * behind + less * chance for less, own in pairwise(after)]]
        if sum(after) < NEGLIGIBLE:
            return []
    return after


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
