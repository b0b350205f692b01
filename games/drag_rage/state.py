"""A race: the heats that are over and the one that is running.

Terms: a car has *crossed* when it stands behind the finish line, *intact* when it is still on the track and with a
*broken 'chute* when it is beyond; an engine is *blown* when the unused counters together cannot bring the car across.
What is *due* says what the seat to act owes:

- ``turn``: a usual turn; the move in `move`, when there is one, can be challenged;
- ``roll``: the roll for the challenged move in `move`;
- ``after_spin_out`` and ``after_hold``: the challenger's answer to that roll;
- ``advance``: a move and nothing else, since the challenger has passed.

Invariants: there is a move in `move` whenever a roll is due, and otherwise only where it can be challenged. A counter
is unused or among those that one of the cars has played. Between heats, and in a race not yet begun, `heat` is None.

Derived: crossed, intact, broken and blown all follow from where a car stands and which counters are unused.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

SEATS = 2
START = 1
FINISH = 23  # the first space behind the line
LAST = 26
COUNTERS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
HEATS_TO_WIN = 2
FREE_DICE = 2
ALL_DICE = 3  # with the nitro die

Due = Literal["turn", "roll", "after_spin_out", "after_hold", "advance"]
Counters = frozenset[int]


class Car(NamedTuple):
    """One player's car in a heat.

    Attributes:
        space: where it stands; beyond `LAST` with a broken 'chute (DRAG-26).
        played: how many counters the player has played, those lost to a spin-out too (DRAG-9).
        has_nitro: whether the nitro die is still there (DRAG-5, DRAG-7).
    """

    space: int = START
    played: int = 0
    has_nitro: bool = True


Cars = tuple[Car, Car]


class Move(NamedTuple):
    """A move as a challenge looks at it: the counter, and the space the car came from."""

    counter: int
    origin: int


class Heat(NamedTuple):
    """A heat that is running."""

    to_act: int
    cars: Cars = (Car(), Car())
    due: Due = "turn"
    move: Move | None = None
    unused: Counters = frozenset(COUNTERS)


class FinishedHeat(NamedTuple):
    """A heat that is over: who won it (None: a dead heat), the counters each has played, and where the cars stand."""

    winner: int | None
    counters: tuple[int, int]
    spaces: tuple[int, int]


class Race(NamedTuple):
    """The state: heats that are over in their order, the running one, heats won by seat, and who retired."""

    heats: tuple[FinishedHeat, ...] = ()
    heat: Heat | None = None
    won: tuple[int, int] = (0, 0)
    retired: frozenset[int] = frozenset()


def has_crossed(car: Car) -> bool:
    """Say whether the car is behind the line, intact or not (DRAG-1)."""
    return car.space >= FINISH


def is_broken(car: Car) -> bool:
    """Say whether the car crossed with a broken 'chute (DRAG-13, DRAG-22)."""
    return car.space > LAST


def is_blown(car: Car, unused: Counters) -> bool:
    """Say whether the car cannot reach the line any more; never true of one that has crossed (DRAG-15, DRAG-23)."""
    return car.space + sum(unused) < FINISH


def is_over(race: Race) -> bool:
    """Say whether the race is decided (DRAG-16), or a seat has left it (TABLE-3)."""
    return HEATS_TO_WIN in race.won or bool(race.retired)
