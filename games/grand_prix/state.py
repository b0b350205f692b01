"""The state of one seat: the circuits it has completed and the one its car is driving.

Terms: a *turn* runs from its gear to its move; between turns there is none. *Unused damage* are the free spaces of a
damage track. A special action is known by its index into `SPECIALS`.

Invariants: `unused` has an entry for each circuit begun, so one more than `places` until the seat is done; `time`
counts the turns of this circuit, the running one included; `last_gear` is 0 on a circuit's first turn; a turn's
`dice` are empty before its roll and six afterwards.

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
        circuits: in driving order (GP-1).
    """

    gears: int
    free: tuple[int, ...]
    costs: tuple[int, ...]
    circuits: tuple[Circuit, ...]


class Turn(NamedTuple):
    """The running turn: its gear, the dice lying there, and whether include holds for it (GP-18)."""

    gear: int
    dice: Dice = ()
    with_include: bool = False


class Drive(NamedTuple):
    """The state of one seat.

    Attributes:
        places: of the circuits completed.
        unused: damage, by circuit begun.
        free: how often each special action is still free.
        position: of the car on this circuit.
        time: spaces of this circuit's time track that are marked.
        last_gear: of the turn before, on this circuit.
        turn: the running turn; None while a gear is to be selected.
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
    """Say whether the last circuit is completed (GP-1)."""
    return len(drive.places) == len(setup.circuits)


def get_circuit(setup: Setup, drive: Drive) -> Circuit:
    """Return the circuit that is being driven; the seat must not be done."""
    return setup.circuits[len(drive.places)]


def get_total(drive: Drive) -> int:
    """Return the sum of the places so far (GP-1)."""
    return sum(drive.places)
