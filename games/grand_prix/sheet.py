"""The race sheet, line by line: place and damage of each circuit, the running circuit, the special actions, the sum."""

from __future__ import annotations

from games.core.sheet import Cell, Line
from games.core.text import Text, gettext_noop
from games.grand_prix.scoring import Circuit
from games.grand_prix.state import SPECIALS, Drive, Setup, get_circuit, get_total, is_done

PLACE = gettext_noop("Place")
UNUSED = gettext_noop("Unused damage")
ON_THE_TRACK = gettext_noop("On the track")
DISTANCE = gettext_noop("Spaces to the flag")
TIME = gettext_noop("Turns left")
GEAR = gettext_noop("Gear")
FREE_USES = gettext_noop("Special actions, free uses left")
REROLL = gettext_noop("Re-roll")
INCLUDE = gettext_noop("Include")
SELECT = gettext_noop("Select")
SHIFT = gettext_noop("Shift")
TOTAL = gettext_noop("Sum of the places")

SPECIAL_LABELS = dict(zip(SPECIALS, (REROLL, INCLUDE, SELECT, SHIFT), strict=True))


def list_lines(setup: Setup, drive: Drive) -> tuple[Line, ...]:
    """Return the lines of one seat, each with one cell. A value that is not available at the moment is empty."""
    return (
        *(line for number in range(len(setup.circuits)) for line in _circuit_lines(setup, drive, number)),
        *_track_lines(setup, drive),
        *(
            Line(f"free_{special}", SPECIAL_LABELS[special], "GP-10", (Cell(left),), section=FREE_USES)
            for special, left in zip(SPECIALS, drive.free, strict=True)
        ),
        Line("total", TOTAL, "GP-1", (Cell(get_total(drive)),), "total"),
    )


def name_circuit(circuit: Circuit) -> Text:
    """Return the circuit's name as a text, whatever characters it contains.

    The names of the house sheet are in the catalogues; any other is shown as it was written.
    """
    return Text(circuit.name.replace("%", "%%"), context="circuit")


def _circuit_lines(setup: Setup, drive: Drive, number: int) -> tuple[Line, ...]:
    name = name_circuit(setup.circuits[number])
    place = drive.places[number] if number < len(drive.places) else None
    unused = drive.unused[number] if number < len(drive.unused) else None
    return (
        Line(f"place_{number + 1}", PLACE, "GP-8", (Cell(place),), section=name),
        Line(f"unused_{number + 1}", UNUSED, "GP-11", (Cell(unused),), section=name),
    )


def _track_lines(setup: Setup, drive: Drive) -> tuple[Line, ...]:
    distance = time = gear = None
    if not is_done(setup, drive):
        circuit = get_circuit(setup, drive)
        distance, time = circuit.flag - drive.position, circuit.time - drive.time
        gear = (drive.turn.gear if drive.turn else drive.last_gear) or None
    return (
        Line("distance", DISTANCE, "GP-14", (Cell(distance),), section=ON_THE_TRACK),
        Line("time", TIME, "GP-2", (Cell(time),), section=ON_THE_TRACK),
        Line("gear", GEAR, "GP-3", (Cell(gear),), section=ON_THE_TRACK),
    )
