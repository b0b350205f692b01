"""What can be thrown, and in how many equally likely ways.

Terms: a *kind* is the faces of one die that make no difference to the score. A *selection* is some of the black dice
of a throw, as the indexes of their kinds, in ascending order of value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, gcd, prod
from typing import NamedTuple

from games.core.reading import Face
from games.go_500.kit import BLACK_DICE, CIRCLED_X, CRASH, FLAG_DIE, FLAGS, FLAT, Die
from games.go_500.scoring import ALL_CIRCLED
from games.go_500.state import Setup

LARGEST_VALUE = 10**9  # of a face; the sums of larger ones would not be exact
FLAG_WAYS = {flag: FLAG_DIE.count(flag) for flag in FLAGS}
Limits = tuple[int | None, ...]  # the speed limits of segments, in the order of the course


class Kind(NamedTuple):
    """Faces of a black or green die: their value, how many they are, and how many of them are circled."""

    value: int
    ways: int
    circled: int
    is_flat: bool = False


class PenaltyKind(NamedTuple):
    """Faces of a yellow or red die: one of them, their value, and how many they are."""

    face: Face
    value: int
    ways: int


class Selection(NamedTuple):
    """Black dice of a throw.

    Attributes:
        size: how many dice.
        total: their points.
        values: the value of each, ascending.
        fewer: the numbers of the selections that leave out one of these dice.
        ways: how many throws of exactly these dice there are.
        circled: how many of those have circled faces only.
    """

    size: int
    total: int
    values: tuple[int, ...]
    fewer: tuple[int, ...]
    ways: int
    circled: int


class Throw(NamedTuple):
    """Throws of black dice and the green die that make no difference.

    Attributes:
        selection: the number of the selection of all the black dice; -1 if none was thrown.
        green: what the green die shows; None if it was not thrown.
        total: the points of these dice.
        ways: how many throws they are, without those that are all circled if there are six dice (GO-7).
    """

    selection: int
    green: Kind | None
    total: int
    ways: int


class ThrownDice(NamedTuple):
    """All throws of a number of black dice, with or without the green die, and how many of them are all circled."""

    throws: tuple[Throw, ...]
    all_circled: int


@dataclass(frozen=True)
class Kit:
    """The dice, as far as scores depend on them. Equal kits have the same odds."""

    black: tuple[Kind, ...]
    green: tuple[Kind, ...]
    yellow: tuple[PenaltyKind, ...]
    red: tuple[PenaltyKind, ...]
    setup: Setup = field(compare=False, repr=False)

    @property
    def dice(self) -> tuple[tuple[Kind, ...], tuple[Kind, ...], tuple[PenaltyKind, ...], tuple[PenaltyKind, ...]]:
        """The black, green, yellow and red dice."""
        return self.black, self.green, self.yellow, self.red

    @cached_property
    def step(self) -> int:
        """The greatest number that divides every score."""
        values = [kind.value for kind in (*self.black, *self.green)]
        return gcd(ALL_CIRCLED, *values, *(kind.value for kind in (*self.yellow, *self.red)))

    @cached_property
    def is_too_large(self) -> bool:
        """Whether faces have values that are too large for exact figures."""
        values = [kind.value for kind in (*self.black, *self.green)]
        return max(map(abs, [*values, *(kind.value for kind in (*self.yellow, *self.red))])) > LARGEST_VALUE

    @cached_property
    def chance_of_circles(self) -> float:
        """The chance that a roll of six dice is all circled (GO-7)."""
        dice = [self.black] * BLACK_DICE + [self.green]
        return prod(sum(kind.circled for kind in die) / sum(kind.ways for kind in die) for die in dice)

    @cached_property
    def is_always_circled(self) -> bool:
        """Whether every roll of six dice earns an extra turn, so that a race can go on without end."""
        return all(kind.circled == kind.ways for kind in (*self.black, *self.green))

    @cached_property
    def selections(self) -> Sequence[Selection]:
        """Every selection of one black die or more, smaller ones first."""
        found: list[Selection] = []
        numbers: dict[tuple[int, ...], int] = {}
        for size in range(1, BLACK_DICE + 1):
            for indexes in combinations_with_replacement(range(len(self.black)), size):
                kinds = [self.black[index] for index in indexes]
                left_out = [(*indexes[:at], *indexes[at + 1 :]) for at in range(size)]
                orders = factorial(size) // prod(factorial(count) for count in Counter(indexes).values())
                numbers[indexes] = len(found)
                found.append(
                    Selection(
                        size,
                        sum(kind.value for kind in kinds),
                        tuple(kind.value for kind in kinds),
                        tuple(numbers[fewer] for fewer in dict.fromkeys(left_out) if fewer),
                        orders * prod(kind.ways for kind in kinds),
                        orders * prod(kind.circled for kind in kinds),
                    )
                )
        return found

    @cached_property
    def thrown(self) -> dict[tuple[int, bool], ThrownDice]:
        """All throws, by the number of black dice and whether the green die is thrown too."""
        return {
            (black, has_green): self._make_thrown(black, has_green)
            for black in range(BLACK_DICE + 1)
            for has_green in (False, True)
        }

    def _make_thrown(self, black: int, has_green: bool) -> ThrownDice:
        can_circle = black == BLACK_DICE and has_green
        throws, all_circled = [], 0
        for number, total, ways, circled in self._list_black(black):
            for green in self.green if has_green else (None,):
                if green is None:
                    throws.append(Throw(number, None, total, ways))
                    continue
                circles = circled * green.circled if can_circle else 0
                all_circled += circles
                if ways * green.ways > circles:
                    throws.append(Throw(number, green, total + green.value, ways * green.ways - circles))
        return ThrownDice(tuple(throws), all_circled)

    def _list_black(self, black: int) -> Iterator[tuple[int, int, int, int]]:
        if not black:
            yield -1, 0, 1, 1
        for number, selection in enumerate(self.selections):
            if selection.size == black:
                yield number, selection.total, selection.ways, selection.circled


def make_kit(setup: Setup) -> Kit:
    """Return the dice of a ruleset."""
    return Kit(
        _list_kinds(setup.black),
        _list_kinds(setup.green, FLAT),
        _list_penalties(setup.yellow),
        _list_penalties(setup.red, CRASH, CIRCLED_X),
        setup,
    )


def _list_kinds(die: Die, flat: str | None = None) -> tuple[Kind, ...]:
    ways = Counter((value, face == flat) for face, value in die.values.items())
    circled = Counter((die.values[face], face == flat) for face in die.circled)
    return tuple(Kind(value, ways[value, is_flat], circled[value, is_flat], is_flat) for value, is_flat in sorted(ways))


def _list_penalties(die: Die, *marks: str) -> tuple[PenaltyKind, ...]:
    """Return the kinds of a penalty die, whose marks have a meaning beside their value (GO-11)."""
    found: dict[tuple[int, Face | None], PenaltyKind] = {}
    for face, value in die.values.items():
        key = (value, face if face in marks else None)
        first = found.get(key, PenaltyKind(face, value, 0))
        found[key] = first._replace(ways=first.ways + 1)
    return tuple(found.values())
