"""The yard of the race: options of every kind, for the tests of option forms. It changes no score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.options import (
    ChoiceOption,
    FlagOption,
    NumberOption,
    NumbersOption,
    Preset,
    RecordOption,
    RowsOption,
    TextOption,
)
from games.core.problems import Malformed
from games.core.text import Text, gettext_noop

TOO_WIDE = gettext_noop("The pens are %(width)s wide together; the yard has room for %(room)s.")
ROOM = 500

SIZE = RecordOption(
    "size",
    Text("Size"),
    Text("In steps of a pig."),
    (
        NumberOption("width", Text("Width"), Text("From 1 to 20."), 3, low=1, high=20),
        NumberOption("depth", Text("Depth"), Text("From 1 to 20."), None, low=1, high=20, nullable=True),
    ),
)
PEN = RecordOption(
    "pen",
    Text("Pen"),
    Text("Where one pig lives."),
    (
        TextOption("name", Text("Name"), Text("Who lives there."), ""),
        SIZE,
        FlagOption("roofed", Text("Roofed"), Text("Whether it stays dry.")),
    ),
)


def pen(name: str, width: int, depth: int | None = None, *, roofed: bool = False) -> dict[str, Any]:
    """Return a row of the yard."""
    return {"name": name, "size": {"width": width, "depth": depth}, "roofed": roofed}


GROUNDS = (("dry", Text("Dry")), ("mud", Text("Mud")))
YARD = RecordOption(
    "yard",
    Text("Yard"),
    Text("Where the pigs race."),
    (
        TextOption("name", Text("Name"), Text("What the yard is called."), "The yard"),
        ChoiceOption("ground", Text("Ground"), Text("What they run on."), "dry", GROUNDS),
        NumbersOption("fences", Text("Fences"), Text("The height of each."), (2, 3), low=1, high=9, lengths=(1, 5)),
        RowsOption("pens", Text("Pens"), Text("Side by side."), (pen("Babe", 3), pen("Wilbur", 5, 4)), PEN, (1, 50)),
    ),
    partial=True,
)
HERD = [pen(f"Pig {number}", 1) for number in range(1, 51)]
PRESETS = (
    Preset("short", Text("Short race"), Text("To 5."), {"goal": 5}),
    Preset(
        "mud",
        Text("Muddy yard"),
        Text("A pen to wallow in."),
        {"yard": {"ground": "mud", "pens": [pen("Napoleon", 9)]}},
    ),
    Preset("herd", Text("Herd"), Text("As many pens as there may be."), {"yard": {"pens": HERD}}),
)


def check_room(yard: Mapping[str, Any]) -> None:
    """Raise `Malformed` if the pens together do not fit into the yard, although each of them does."""
    width = sum(row["size"]["width"] for row in yard["pens"])
    if width > ROOM:
        raise Malformed("options.yard.pens", TOO_WIDE, {"width": width, "room": ROOM})
