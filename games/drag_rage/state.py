"""The state of a race: the finished heats and the running heat.

Terms: a car has *crossed* if it is behind the finish line: *intact* if it is still on the track, and with a *broken
'chute* if it is beyond the track. An engine is *blown* if all unused counters together cannot bring the car across.
`due` says what the seat to act must do:

- ``turn``: a normal turn; the move in `move`, if there is one, can be challenged;
- ``roll``: the roll for the challenged move in `move`;
- ``after_spin_out`` and ``after_hold``: the challenger's answer to that roll;
- ``advance``: a move and nothing else, because the challenger has passed.

Invariants:

- `move` is set if a roll is due; otherwise it is set only if the move can be challenged.
- Every counter is either unused or has been played by one of the cars.
- `heat` is None between heats and before the first heat.

Derived: crossed, intact, broken and blown all follow from the space of a car and the unused counters.
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
        space: its space; beyond `LAST` with a broken 'chute (DRAG-26).
        played: how many counters the player has played, including those lost to a spin-out (DRAG-9).
        has_nitro: whether the player still has the nitro die (DRAG-5, DRAG-7).
    """

    space: int = START
    played: int = 0
    has_nitro: bool = True


Cars = tuple[Car, Car]


class Move(NamedTuple):
    """A move that can be challenged: the counter, and the space that the car came from."""

    counter: int
    origin: int


class Heat(NamedTuple):
    """The running heat."""

    to_act: int
    cars: Cars = (Car(), Car())
    due: Due = "turn"
    move: Move | None = None
    unused: Counters = frozenset(COUNTERS)


class FinishedHeat(NamedTuple):
    """A finished heat: its winner (None: a dead heat), how many counters each seat played, and the cars' spaces."""

    winner: int | None
    counters: tuple[int, int]
    spaces: tuple[int, int]


class Race(NamedTuple):
    """The state: the finished heats in order, the running heat, heats won by seat, and the seats that have retired."""

    heats: tuple[FinishedHeat, ...] = ()
    heat: Heat | None = None
    won: tuple[int, int] = (0, 0)
    retired: frozenset[int] = frozenset()


def has_crossed(car: Car) -> bool:
    """Return whether the car is behind the line, intact or not (DRAG-1)."""
    return car.space >= FINISH


def is_broken(car: Car) -> bool:
    """Return whether the car crossed with a broken 'chute (DRAG-13, DRAG-22)."""
    return car.space > LAST


def is_blown(car: Car, unused: Counters) -> bool:
    """Return whether the car can no longer reach the line; False once it has crossed (DRAG-15, DRAG-23)."""
    return car.space + sum(unused) < FINISH


def find_winner(race: Race) -> int | None:
    """Return the seat that has won the race: by heats (DRAG-16), or because the other has retired (TABLE-3)."""
    if race.retired:
        return next(seat for seat in range(SEATS) if seat not in race.retired)
    return race.won.index(HEATS_TO_WIN) if HEATS_TO_WIN in race.won else None


def is_over(race: Race) -> bool:
    """Return whether the race is decided (DRAG-16) or a seat has retired from it (TABLE-3)."""
    return HEATS_TO_WIN in race.won or bool(race.retired)
