"""What is printed for Grand Prix: the sheet with the circuits of the contest, and the rules on one page."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path

from games.core.handouts import Boxes, Drawing, Handout, Panel, Point, Points, make_drawing
from games.core.text import Text, gettext_noop
from games.grand_prix.drawing import SHAPES, list_sections
from games.grand_prix.scoring import Circuit
from games.grand_prix.sheet import SPECIAL_LABELS, name_circuit
from games.grand_prix.state import SPECIALS, Setup

SHAPE = Path(__file__).parent / "templates" / "grand_prix" / "_shape.html"
WIDTH, HEIGHT = 345, 215  # of a drawing, in the units of its shape
BEND_STEPS = 24  # straight lines that a bend is drawn with
BIGGEST, SMALLEST = 9.0, 1.2  # the radius of a space

RULES = gettext_noop("Grand Prix in short")
NUMBERED = Text("%(number)s. %(name)s")
DRAWN = gettext_noop("The circuit, space by space")

At = tuple[float, float]


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return the summary of the rules, and the sheet of the contest."""
    circuits = tuple(_make_circuit(circuit, number) for number, circuit in enumerate(setup.circuits))
    return (
        Handout("rules", RULES, (Panel("", (_list_points(setup),)),)),
        Handout("sheet", gettext_noop("Grand Prix sheet"), (*circuits, _make_gears(setup)), columns=2),
    )


def _make_circuit(circuit: Circuit, number: int) -> Panel:
    picture = make_drawing(WIDTH, HEIGHT, "".join(_draw_spaces(circuit, number)))
    tracks = (
        Boxes(gettext_noop("Turns"), circuit.time),
        Boxes(gettext_noop("Damage"), circuit.damage),
        Boxes(gettext_noop("Place"), 1),
    )
    return Panel(name_circuit(circuit), (Drawing(picture, DRAWN), *tracks))


def _make_gears(setup: Setup) -> Panel:
    uses = tuple(
        Boxes(SPECIAL_LABELS[special], free) for special, free in zip(SPECIALS, setup.free, strict=True) if free
    )
    prices = tuple(
        Point(
            gettext_noop("%(action)s: %(free)s free, then %(cost)s damage each."),
            "GP-10",
            {"action": SPECIAL_LABELS[special], "free": free, "cost": cost},
        )
        for special, free, cost in zip(SPECIALS, setup.free, setup.costs, strict=True)
    )
    gears = Point(gettext_noop("Gears 1 to %(gears)s."), "GP-20", {"gears": setup.gears})
    return Panel(gettext_noop("Gears and special actions"), (Points((gears, *prices)), *uses))


def _draw_spaces(circuit: Circuit, number: int) -> list[str]:
    """Return the flag and the spaces of a circuit along its lap, each section in another shade; corners are red."""
    line = _read_shape(number % SHAPES)
    lengths = [0.0]
    for first, second in pairwise(line):
        lengths.append(lengths[-1] + dist(first, second))
    step = lengths[-1] / circuit.flag
    radius = max(SMALLEST, min(BIGGEST, step * 0.42))
    shades = [""] * circuit.flag
    for index, (start, end) in enumerate(list_sections(circuit)):
        for space in range(start + 1, end + 1):
            shades[space] = "#e2453a" if end - start == 1 else ("#ffffff", "#cfc8bf")[index % 2]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
    drawn = [f'<polyline points="{path}" fill="none" stroke="#1c1714" stroke-width="1.5"/>']
    for space in range(1, circuit.flag):
        x, y = _locate(line, lengths, (space + 0.5) * step)
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{shades[space]}" stroke="#1c1714" '
            f'stroke-width="1.2"/>'
        )
    drawn.append(_draw_flag(*_locate(line, lengths, step / 2)))
    return drawn


def _draw_flag(x: float, y: float) -> str:
    left, top, side = x - 8, y - 8, 4
    squares = "".join(
        f'<rect x="{left + column * side:.1f}" y="{top + row * side:.1f}" width="{side}" height="{side}"/>'
        for row in range(4)
        for column in range(4)
        if (row + column) % 2 == 0
    )
    frame = f'<rect x="{left:.1f}" y="{top:.1f}" width="16" height="16" fill="#fff" stroke="#000"/>'
    return frame + squares


def _locate(line: list[At], lengths: list[float], at: float) -> At:
    """Return the point of a line at this distance from its start."""
    index = min(max(bisect_left(lengths, at), 1), len(line) - 1)
    (x1, y1), (x2, y2) = line[index - 1], line[index]
    share = (at - lengths[index - 1]) / ((lengths[index] - lengths[index - 1]) or 1)
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


@cache
def _read_shape(number: int) -> list[At]:
    """Return the points of a shape that the pages draw too; it has straight lines and bends only (M, H, C, S and Z)."""
    path = re.findall(r'd="([^"]+)"', SHAPE.read_text("utf-8"))[number]
    line: list[At] = []
    bend: At = (0, 0)
    for command, text in re.findall(r"([MHLCSZ])([^MHLCSZ]*)", path):
        numbers = [float(found) for found in re.findall(r"-?[\d.]+", text)]
        if command == "M":
            line.append((numbers[0], numbers[1]))
        elif command == "H":
            line.append((numbers[-1], line[-1][1]))
        elif command == "L":
            line += zip(numbers[::2], numbers[1::2], strict=True)
        elif command in "CS":
            size = 6 if command == "C" else 4
            for at in range(0, len(numbers), size):
                part = numbers[at : at + size]
                start = line[-1]
                mirrored = (2 * start[0] - bend[0], 2 * start[1] - bend[1])
                first = (part[0], part[1]) if command == "C" else mirrored
                bend, end = (part[-4], part[-3]), (part[-2], part[-1])
                line += _list_bend(start, first, bend, end)
        else:
            line.append(line[0])
    return line


def _list_bend(start: At, first: At, second: At, end: At) -> list[At]:
    points = []
    for step in range(1, BEND_STEPS + 1):
        t = step / BEND_STEPS
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        parts = (start, first, second, end)
        x, y = (sum(weight * part[axis] for weight, part in zip(weights, parts, strict=True)) for axis in (0, 1))
        points.append((x, y))
    return points


def _list_points(setup: Setup) -> Points:
    return Points(
        (
            Point(
                gettext_noop("Drive %(circuits)s circuits one after the other. The lowest sum of the places wins."),
                "GP-1",
                {"circuits": len(setup.circuits)},
            ),
            Point(gettext_noop("Each turn, mark one space of the time track."), "GP-2"),
            Point(gettext_noop("Shift one gear up or down: never the same gear twice in a row."), "GP-3"),
            Point(gettext_noop("On the first turn of a circuit, take any gear."), "GP-3"),
            Point(gettext_noop("Roll six dice. Each die lower than the gear moves the car one space."), "GP-4"),
            Point(
                gettext_noop("Land in every section, apart from the two beside the flag."),
                "GP-5",
            ),
            Point(
                gettext_noop("For each section you pass without landing in it, mark damage equal to the gear."), "GP-6"
            ),
            Point(gettext_noop("Damage that does not fit ends the circuit: its place is 20."), "GP-7"),
            Point(gettext_noop("Reach the flag in time and the place is 0."), "GP-9"),
            Point(gettext_noop("Out of time, the place is the number of spaces to the flag."), "GP-8"),
            Point(gettext_noop("Special actions: re-roll, include, select and shift."), "GP-10"),
        )
    )
