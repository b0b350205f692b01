"""Which faces have a picture, by its name: those with a meaning of their own, those with a ring, and the flags."""

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
    """Return the picture of a face that means something on this colour; nothing for a mere number."""
    return MARKS.get(colour, {}).get(str(face), "")


def get_art(die: Die, colour: Colour, face: Face) -> str:
    """Return the picture of a face; nothing where its label says all."""
    return get_mark(colour, face) or ("ring" if face in die.circled else "")
