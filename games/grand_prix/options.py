"""The sheet as an option: the house sheet, its ranges, and presets that people often want (GP-13).

The original game gives the names of the circuits and their time tracks. Everything else on the house sheet is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.options import NumberOption, NumbersOption, Preset, RecordOption, RowsOption, TextOption
from games.core.text import Text, gettext_noop, pgettext_noop
from games.grand_prix.scoring import make_circuit
from games.grand_prix.state import SPECIALS, Setup

HOUSE_CIRCUITS: tuple[Mapping[str, Any], ...] = (
    {
        "name": pgettext_noop("circuit", "Australia").template,
        "time": 18,
        "damage": 10,
        "sections": (6, 4, 5, 1, 1, 6, 3, 4, 2, 6, 3, 7),
    },
    {
        "name": pgettext_noop("circuit", "Bahrain").template,
        "time": 18,
        "damage": 10,
        "sections": (7, 3, 2, 6, 4, 1, 1, 5, 3, 6, 2, 4, 6),
    },
    {
        "name": pgettext_noop("circuit", "China").template,
        "time": 21,
        "damage": 11,
        "sections": (6, 5, 2, 1, 1, 4, 7, 3, 2, 5, 1, 1, 6, 4, 3, 8),
    },
    {
        "name": pgettext_noop("circuit", "Spain").template,
        "time": 21,
        "damage": 11,
        "sections": (8, 4, 3, 5, 1, 1, 6, 2, 4, 3, 6, 1, 1, 1, 5, 4, 7),
    },
)

FREE = gettext_noop("Free uses")
FREE_HELP = gettext_noop("How many times it is free in the whole game.")
COST = gettext_noop("Cost")
COST_HELP = gettext_noop("What each use after that costs, in spaces of unused damage.")


def _special(name: str, label: Text, about: Text, free: int, cost: int) -> RecordOption:
    numbers = NumberOption("free", FREE, FREE_HELP, free, high=99), NumberOption("cost", COST, COST_HELP, cost, high=99)
    return RecordOption(name, label, about, numbers)


SPECIALS_OPTION = RecordOption(
    "specials",
    gettext_noop("Special actions"),
    gettext_noop("How often each is free, and what it costs afterwards."),
    (
        _special("reroll", gettext_noop("Re-roll"), gettext_noop("All six dice are rolled again."), 2, 2),
        _special("include", gettext_noop("Include"), gettext_noop("Dice equal to the gear count too."), 2, 2),
        _special("select", gettext_noop("Select"), gettext_noop("Some of the dice are rolled again."), 3, 1),
        _special("shift", gettext_noop("Shift"), gettext_noop("Any other gear can be selected."), 2, 1),
    ),
    partial=True,
)
CIRCUIT_OPTION = RecordOption(
    "circuit",
    gettext_noop("Circuit"),
    gettext_noop("One race from flag to flag."),
    (
        TextOption("name", gettext_noop("Name"), gettext_noop("What the circuit is called."), "Circuit"),
        NumberOption("time", gettext_noop("Time"), gettext_noop("How many turns there are."), 18, 1, 100),
        NumberOption("damage", gettext_noop("Damage"), gettext_noop("Spaces of the damage track."), 10, 0, 100),
        NumbersOption(
            "sections",
            gettext_noop("Sections"),
            gettext_noop("The spaces of each section in driving order, the first and the last included."),
            (6, 4, 5, 1, 1, 6),
            low=1,
            high=200,
            lengths=(2, 100),
        ),
    ),
)
SHEET_OPTION = RecordOption(
    "sheet",
    gettext_noop("Sheet"),
    gettext_noop("What is printed on the sheet: gears, special actions and circuits."),
    (
        NumberOption("gears", gettext_noop("Gears"), gettext_noop("The highest gear."), 6, 2, 7),
        SPECIALS_OPTION,
        RowsOption(
            "circuits",
            gettext_noop("Circuits"),
            gettext_noop("In the order they are driven."),
            HOUSE_CIRCUITS,
            CIRCUIT_OPTION,
            (1, 30),
        ),
    ),
    partial=True,
)


NEVER = 99  # more damage than a season of four circuits has room for, so it can never be paid


def _as_option(circuit: Mapping[str, Any], **changes: int) -> dict[str, Any]:
    """Return a circuit in the form that a contest gives it, with some values changed."""
    return {**circuit, "sections": list(circuit["sections"]), **changes}


PRESETS = (
    Preset(
        "one_circuit",
        gettext_noop("One circuit"),
        gettext_noop("Just Australia, for a short race."),
        {"sheet": {"circuits": [_as_option(HOUSE_CIRCUITS[0])]}},
    ),
    Preset(
        "gentle",
        gettext_noop("A gentle season"),
        gettext_noop("All four circuits, with double damage tracks and one more free use of each special action."),
        {
            "sheet": {
                "specials": {
                    "reroll": {"free": 3, "cost": 2},
                    "include": {"free": 3, "cost": 2},
                    "select": {"free": 4, "cost": 1},
                    "shift": {"free": 3, "cost": 1},
                },
                "circuits": [_as_option(circuit, damage=2 * circuit["damage"]) for circuit in HOUSE_CIRCUITS],
            }
        },
    ),
    Preset(
        "tight",
        gettext_noop("A tight season"),
        gettext_noop(
            "All four circuits with damage tracks of 13, one free re-roll in the whole game, no other special action. "
            "Best play comes to 4.6 places on average."
        ),
        {
            "sheet": {
                "specials": {
                    "reroll": {"free": 1, "cost": NEVER},
                    "include": {"free": 0, "cost": NEVER},
                    "select": {"free": 0, "cost": NEVER},
                    "shift": {"free": 0, "cost": NEVER},
                },
                "circuits": [_as_option(circuit, damage=13) for circuit in HOUSE_CIRCUITS],
            }
        },
    ),
)


def read_setup(sheet: Mapping[str, Any]) -> Setup:
    """Return the sheet, which was read as an option, in the form that suits the rules best."""
    specials = sheet["specials"]
    return Setup(
        sheet["gears"],
        tuple(specials[name]["free"] for name in SPECIALS),
        tuple(specials[name]["cost"] for name in SPECIALS),
        tuple(make_circuit(**circuit) for circuit in sheet["circuits"]),
    )
