"""The names of the pictures of faces: faces with a special meaning, circled faces, and flags."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.reading import Face
from games.core.specs import Colour
from games.go_500.kit import CIRCLED_X, CRASH, FLAGS, FLAT, LIGHTS, Die

MARKS: Mapping[Colour, Mapping[str, str]] = {
    "green": {FLAT: "flat"},
    "yellow": {LIGHTS: "lights"},
    "red": {CRASH: "crash", CIRCLED_X: "x"},
}
FLAG_ART: Mapping[str, str] = {flag: f"flag_{flag}" for flag in FLAGS}


def get_mark(colour: Colour, face: Face) -> str:
    """Return the picture of a face with a special meaning on this colour; an empty string for a number."""
    return MARKS.get(colour, {}).get(str(face), "")


def get_art(die: Die, colour: Colour, face: Face) -> str:
    """Return the picture of a face; an empty string if its label is enough."""
    return get_mark(colour, face) or ("ring" if face in die.circled else "")
