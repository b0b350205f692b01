"""The picture of the options, as plain data for `preview.html`: circuits, gears and special actions."""

from __future__ import annotations

from games.grand_prix.display import list_specials
from games.grand_prix.drawing import JsonObject, draw_lap, draw_track, list_sections
from games.grand_prix.scoring import Circuit
from games.grand_prix.sheet import name_circuit
from games.grand_prix.state import Setup


def make_preview(setup: Setup) -> JsonObject:
    """Return the sheet as it looks before the first turn."""
    return {
        "gears": setup.gears,
        "specials": list_specials(setup, setup.free),
        "circuits": [_circuit(circuit, number) for number, circuit in enumerate(setup.circuits)],
    }


def _circuit(circuit: Circuit, number: int) -> JsonObject:
    return {
        "number": number + 1,
        "name": name_circuit(circuit),
        "spaces": circuit.flag - 1,
        "lap": draw_lap(circuit, number),
        "sections": [end - start for start, end in list_sections(circuit)],
        "time": draw_track(circuit.time, 0),
        "damage": draw_track(circuit.damage, 0),
    }
