"""What is printed for Go 500: the course with room for the scores, the key to the dice, stickers, and the rules."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from games.core.handouts import Chart, Handout, Panel, Point, Points, Tile, Tiles, Word, make_drawing
from games.core.text import Text, gettext_noop
from games.go_500.kit import BLACK_DICE
from games.go_500.names import make_text
from games.go_500.preview import make_preview
from games.go_500.state import Setup

FACES = Path(__file__).parent / "templates" / "go_500" / "faces"
RULES = gettext_noop("Go 500 in short")
BODIES = {"black": "#1c1714", "green": "#1f7a41", "yellow": "#ffc62e", "red": "#b3221a", "white": "#ffffff"}
PIPS = {"black": "#fffdf9", "green": "#fffdf9", "yellow": "#1c1714", "red": "#fffdf9", "white": "#1c1714"}
COLOURS = {
    "black": gettext_noop("Black dice"),
    "green": gettext_noop("Green die"),
    "yellow": gettext_noop("Yellow die"),
    "red": gettext_noop("Red die"),
}
MARKS = {
    "flat": gettext_noop("flat tyre"),
    "lights": gettext_noop("traffic lights"),
    "crash": gettext_noop("crash"),
    "x": gettext_noop("circled X"),
}
FLAG_DIE = gettext_noop("Flag die")
FLAGS = {
    "green": gettext_noop("green flag"),
    "yellow": gettext_noop("yellow flag"),
    "red": gettext_noop("red flag"),
    "black": gettext_noop("black flag"),
}
SCORE_COLUMNS = 4  # players on one sheet of the course
KEY_SIZE, STICKER_SIZE = 15, 16  # millimetres


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return everything, from the course and the kit of the contest."""
    preview = make_preview(setup)
    return (
        Handout("rules", RULES, (Panel("", (_list_points(setup),)), _make_red_chart())),
        Handout("course", gettext_noop("The course"), (_make_course(setup, preview),)),
        Handout("dice", gettext_noop("Key to the dice"), _list_dice(preview, are_cut=False)),
        Handout("stickers", gettext_noop("Stickers for the dice"), _list_dice(preview, are_cut=True)),
    )


def _make_course(setup: Setup, preview: dict[str, Any]) -> Panel:
    blank = ("",) * SCORE_COLUMNS
    rows: list[tuple[Word, ...]] = [
        (str(segment["number"]), segment["name"], _format_limit(segment["limit"]), *blank)
        for segment in preview["segments"]
    ]
    rows.append(("", gettext_noop("Total"), "", *blank))
    headings: tuple[Word, ...] = ("", gettext_noop("Segment"), gettext_noop("Limit"), *blank)
    return Panel(make_text(setup.course.name), (Chart(headings, tuple(rows)),))


def _format_limit(limit: int | None) -> Word:
    return gettext_noop("no limit") if limit is None else str(limit)


def _list_dice(preview: dict[str, Any], *, are_cut: bool) -> tuple[Panel, ...]:
    size = STICKER_SIZE if are_cut else KEY_SIZE
    panels = []
    for die in preview["dice"]:
        faces = [_make_tile(face, has_caption=not are_cut) for face in die["faces"]]
        copies = BLACK_DICE if are_cut and die["colour"] == "black" else 1
        panels.append(Panel(COLOURS[die["colour"]], (Tiles(tuple(faces * copies), size, are_cut),)))
    flags = tuple(
        Tile(_read_face(f"flag_{flag}", "white"), "", "" if are_cut else FLAGS[flag]) for flag in preview["flags"]
    )
    return (*panels, Panel(FLAG_DIE, (Tiles(flags, size, are_cut),)))


def _make_tile(face: dict[str, Any], *, has_caption: bool) -> Tile:
    colour, mark = face["colour"], face["mark"]
    if mark:
        return Tile(_read_face(mark, colour), "", MARKS[mark] if has_caption else "")
    ring = f'<circle cx="30" cy="30" r="23" fill="none" stroke="{PIPS[colour]}" stroke-width="3"/>'
    body = f'<rect x="2" y="2" width="56" height="56" rx="13" fill="{BODIES[colour]}"/>'
    caption: Word = gettext_noop("circled") if has_caption and face["is_circled"] else ""
    picture = make_drawing(60, 60, body + (ring if face["is_circled"] else ""))
    return Tile(picture, str(face["face"]), caption, is_light=PIPS[colour] != "#1c1714")


@cache
def _read_face(name: str, colour: str) -> str:
    """Return a face that the pages show too, with the colours of its die."""
    shapes = re.sub(r"^\s*<svg[^>]*>|</svg>\s*$", "", unescape((FACES / f"{name}.svg").read_text("utf-8")))
    shapes = shapes.replace('class="die__body"', f'fill="{BODIES[colour]}" stroke="#1c1714" stroke-width="1.5"')
    return make_drawing(60, 60, shapes.replace('class="die__pip"', f'fill="{PIPS[colour]}"'))


def _make_red_chart() -> Panel:
    steps = ("20–35", "40–55", "60–75", "80–95", "100–115", "120+")
    rolls = ("1", "2", "4", "7", "11", "16")
    headings: tuple[Text, Text] = (gettext_noop("Above the limit"), gettext_noop("Red rolls"))
    return Panel(gettext_noop("Too fast under a green flag"), (Chart(headings, tuple(zip(steps, rolls, strict=True))),))


def _list_points(setup: Setup) -> Points:
    return Points(
        (
            Point(gettext_noop("Race segment by segment. The highest total wins."), "GO-3"),
            Point(gettext_noop("Choose black dice and the green one, or not, and roll them with the flag."), "GO-4"),
            Point(gettext_noop("The score is the sum of what you rolled and of what is locked."), "GO-5"),
            Point(
                gettext_noop("%(rerolls)s times in the race you may reroll the dice you have just rolled."),
                "GO-6",
                {"rerolls": setup.rerolls},
            ),
            Point(gettext_noop("Green flag within the limit: lock a die or more, and roll the others."), "GO-14"),
            Point(gettext_noop("Green flag above the limit: the segment ends, and may cost red rolls."), "GO-13"),
            Point(gettext_noop("Yellow flag: the segment ends; add a roll of the yellow die."), "GO-10"),
            Point(gettext_noop("Red flag: the segment ends; add a roll of the red die."), "GO-11"),
            Point(gettext_noop("Crash or circled X: roll red again. Then X ends your race."), "GO-11"),
            Point(gettext_noop("Black flag: the segment gives 0."), "GO-9"),
            Point(gettext_noop("A flat tyre counts 0 and takes the green die out of the segment."), "GO-8"),
            Point(gettext_noop("Six circled faces on one roll give 175 and an extra turn."), "GO-7"),
        )
    )
