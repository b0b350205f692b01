"""The state of one seat: the completed circuits and the circuit that its car is driving.

Terms: a *turn* lasts from its gear to its move; between turns there is none. *Unused damage* is the free spaces of a
damage track. A special action is identified by its index in `SPECIALS`.

Invariants:

- `unused` has an entry for each circuit begun, so one more than `places` until the seat is done.
- `time` counts the turns of this circuit, including the running turn.
- `last_gear` is 0 on a circuit's first turn.
- A turn has no `dice` before its roll and six afterwards.

Derived: the total and whether the seat is done follow from `places`.
"""

from __future__ import annotations

from typing import NamedTuple

from games.grand_prix.scoring import Circuit, Dice

SPECIALS = ("reroll", "include", "select", "shift")
REROLL, INCLUDE, SELECT, SHIFT = range(len(SPECIALS))


class Setup(NamedTuple):
    """The sheet, as the rules read it (GP-13).

    Attributes:
        gears: the highest gear (GP-20).
        free: how often each special action is free (GP-10).
        costs: what each costs after that, in damage.
        circuits: the circuits in driving order (GP-1).
    """

    gears: int
    free: tuple[int, ...]
    costs: tuple[int, ...]
    circuits: tuple[Circuit, ...]


class Turn(NamedTuple):
    """The running turn: its gear, the dice showing, and whether include applies to it (GP-18)."""

    gear: int
    dice: Dice = ()
    with_include: bool = False


class Drive(NamedTuple):
    """The state of one seat.

    Attributes:
        places: the places on the completed circuits.
        unused: the unused damage of each circuit begun.
        free: how often each special action is still free.
        position: the position of the car on this circuit.
        time: how many spaces of this circuit's time track are marked.
        last_gear: the gear of the previous turn on this circuit.
        turn: the running turn; None if a gear must be selected next.
    """

    places: tuple[int, ...]
    unused: tuple[int, ...]
    free: tuple[int, ...]
    position: int = 0
    time: int = 0
    last_gear: int = 0
    turn: Turn | None = None


def start_drive(setup: Setup) -> Drive:
    """Return a car at the flag of the first circuit."""
    return Drive((), (setup.circuits[0].damage,), setup.free)


def is_done(setup: Setup, drive: Drive) -> bool:
    """Return whether the last circuit is completed (GP-1)."""
    return len(drive.places) == len(setup.circuits)


def get_circuit(setup: Setup, drive: Drive) -> Circuit:
    """Return the circuit that the car is driving; the seat must not be done."""
    return setup.circuits[len(drive.places)]


def get_total(drive: Drive) -> int:
    """Return the sum of the places so far (GP-1)."""
    return sum(drive.places)
