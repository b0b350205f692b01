"""The picture of the options, as plain data for `preview.html`: the course and the dice of the kit."""

from __future__ import annotations

from typing import Any

from games.core.specs import Colour
from games.go_500.display import describe_die
from games.go_500.kit import FLAG_DIE, Die
from games.go_500.names import make_segment_text, make_text
from games.go_500.state import Setup


def make_preview(setup: Setup) -> dict[str, Any]:
    """Return the course in the weather of the race, and the faces of each die."""
    colours: tuple[tuple[Colour, Die], ...] = (
        ("black", setup.black),
        ("green", setup.green),
        ("yellow", setup.yellow),
        ("red", setup.red),
    )
    return {
        "course": make_text(setup.course.name),
        "rerolls": setup.rerolls,
        "segments": [
            {"number": number, "name": make_segment_text(segment.name), "limit": segment.limit, "state": "ahead"}
            for number, segment in enumerate(setup.course.segments, 1)
        ],
        "dice": [
            {"colour": colour, "faces": [describe_die(die, colour, face) for face in die.values]}
            for colour, die in colours
        ],
        "flags": FLAG_DIE,
    }
