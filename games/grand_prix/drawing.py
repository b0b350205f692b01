"""The drawing of a circuit and its tracks, in whole numbers.

Terms: a *lap* is a closed line that is `LAP` units long, whatever its shape. The flag and each space take up equal
parts of it, the flag first (GP-14). A *track* is a row of boxes, at most `ROW` units long. Spaces or boxes that would
be too narrow to tell apart are drawn as a *band*. A *corner* is a section of a single space (GP-5).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from games.grand_prix.scoring import Circuit

LAP = 10_000
NARROWEST_SPACE = 90  # of a lap; narrower spaces are drawn as a band
SEAM = 50  # between two sections, if they are long enough for it
SHORTEST_KERB = 120

ROW = 320
WIDEST_BOX = 24
MAX_BOXES = 40  # more are drawn as a band

SHAPES = 4

JsonObject = dict[str, Any]


def draw_lap(circuit: Circuit, number: int, position: int | None = None) -> JsonObject:
    """Return the circuit as arcs of its lap, with the car on it if a position is given.

    Args:
        circuit: the circuit to draw.
        number: the number of the circuit in the season, from 0; neighbours have different shapes.
        position: the position of the car.
    """
    return {
        "shape": number % SHAPES,
        "length": LAP,
        "flag": max(LAP // circuit.flag - SEAM, 1),
        "sections": [_section(circuit, start, end, position) for start, end in list_sections(circuit)],
        "cells": circuit.flag,
        "has_spaces": circuit.flag * NARROWEST_SPACE <= LAP,
        "car_at": None if position is None else (2 * position + 1) * LAP // (2 * circuit.flag),
    }


def list_sections(circuit: Circuit) -> list[tuple[int, int]]:
    """Return the last space before each section and its own last space, in driving order."""
    return list(pairwise((0, *circuit.ends, circuit.flag - 1)))


def draw_track(length: int, used: int) -> JsonObject:
    """Return a row of `length` boxes, of which `used` are used."""
    width = min(ROW, length * WIDEST_BOX)
    return {
        "length": length,
        "used": used,
        "left": length - used,
        "width": width,
        "used_width": width * used // length if length else 0,
        "is_band": length > MAX_BOXES,
    }


def _section(circuit: Circuit, start: int, end: int, position: int | None) -> JsonObject:
    first, last = (start + 1) * LAP // circuit.flag, (end + 1) * LAP // circuit.flag
    whole = last - first
    length = max(whole - SEAM, whole * 2 // 3, 1)
    state = "ahead" if position is None or position <= start else "here" if position <= end else "behind"
    is_corner = end - start == 1
    kerb = max(length, SHORTEST_KERB)
    return {
        "spaces": end - start,
        "start": first + (whole - length) // 2,
        "length": length,
        "state": state,
        "is_corner": is_corner,
        "kerb_start": max(0, first + (whole - kerb) // 2),
        "kerb": kerb,
    }
