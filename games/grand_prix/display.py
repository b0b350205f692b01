"""The picture of a drive, as plain data for `display.html`.

Derived: the sections behind the car follow from its position. Whether it landed in them shows only in the damage,
because the drive does not record it (GP-6).
"""

from __future__ import annotations

from bisect import bisect_left

from games.core.independent import Table
from games.grand_prix.drawing import JsonObject, draw_lap, draw_track, list_sections
from games.grand_prix.scoring import Circuit, count_spaces
from games.grand_prix.sheet import SPECIAL_LABELS, name_circuit
from games.grand_prix.state import SPECIALS, Drive, Setup, get_circuit, get_total, is_done

SECTIONS_AHEAD = 6  # how many the text beside the drawing lists


def make_display(table: Table[Drive]) -> JsonObject:
    """Return each seat's car on its circuit, and the season so far."""
    setup: Setup = table.ruleset.setup
    return {
        "seats": [_seat(setup, drive, number, number in table.retired) for number, drive in enumerate(table.seats)],
    }


def _seat(setup: Setup, drive: Drive, number: int, is_retired: bool) -> JsonObject:
    return {
        "number": number + 1,
        "is_retired": is_retired,
        "total": get_total(drive),
        "running": None if is_retired or is_done(setup, drive) else _running(setup, drive),
        "completed": [_completed(setup, drive, index) for index in range(len(drive.places))],
        "ahead": [name_circuit(circuit) for circuit in setup.circuits[len(drive.places) + 1 :]],
        "specials": list_specials(setup, drive.free),
    }


def list_specials(setup: Setup, free: tuple[int, ...]) -> list[JsonObject]:
    """Return each special action with its free uses and its price in damage (GP-10)."""
    return [
        {"label": SPECIAL_LABELS[special], "free": left, "cost": cost}
        for special, left, cost in zip(SPECIALS, free, setup.costs, strict=True)
    ]


def _completed(setup: Setup, drive: Drive, index: int) -> JsonObject:
    circuit = setup.circuits[index]
    return {
        "name": name_circuit(circuit),
        "place": drive.places[index],
        "unused": drive.unused[index],
        "damage": circuit.damage,
    }


def _running(setup: Setup, drive: Drive) -> JsonObject:
    circuit, number = get_circuit(setup, drive), len(drive.places)
    return {
        "number": number + 1,
        "circuits": len(setup.circuits),
        "name": name_circuit(circuit),
        "lap": draw_lap(circuit, number, drive.position),
        "position": drive.position,
        "spaces": circuit.flag - 1,
        "to_flag": circuit.flag - drive.position,
        "section": _locate(circuit, drive.position),
        "time": draw_track(circuit.time, drive.time),
        "damage": draw_track(circuit.damage, circuit.damage - drive.unused[-1]),
        "gears": _gears(setup, drive),
        **_dice(drive),
    }


def _locate(circuit: Circuit, position: int) -> JsonObject:
    """Return the section that the car is in, the spaces left in it, and the lengths of the next sections."""
    sections = list_sections(circuit)
    index = bisect_left(circuit.ends, position) if position else -1
    ahead = [end - start for start, end in sections[index + 1 :]]
    return {
        "number": index + 1,
        "count": len(sections),
        "left": sections[index][1] - position if position else 0,
        "ahead": ahead[:SECTIONS_AHEAD],
        "more": len(ahead) > SECTIONS_AHEAD,
    }


def _gears(setup: Setup, drive: Drive) -> list[JsonObject]:
    selected = drive.turn.gear if drive.turn else 0
    return [
        {"gear": gear, "is_last": gear == drive.last_gear, "is_selected": gear == selected}
        for gear in range(1, setup.gears + 1)
    ]


def _dice(drive: Drive) -> JsonObject:
    """Return the dice showing, which of them drive the car, and how far (GP-4, GP-10)."""
    turn = drive.turn
    if turn is None:
        return {"dice": [], "moves": None, "with_include": False}
    fastest = turn.gear + turn.with_include
    return {
        "dice": [{"face": die, "drives": die < fastest} for die in sorted(turn.dice)],
        "moves": count_spaces(turn.dice, turn.gear, turn.with_include) if turn.dice else None,
        "with_include": turn.with_include,
    }
