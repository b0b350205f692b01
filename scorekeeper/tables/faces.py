"""The faces of dice as the pages draw them, as plain data for `components/die.html`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.dice import PIPS
from games.core.game import Game
from games.core.specs import ActionSpec, Colour, DiceField, FaceSpec, PickField
from games.core.text import Text
from scorekeeper.common.rules import find_fragment, say

Shown = dict[str, Any]

SHORT = 4  # characters of a label that can be drawn large


def show_faces(game: Game[Any], one: DiceField) -> list[Shown]:
    """Return the faces of a field's dice, in the order of the game."""
    return _show_all(game, one.faces, one.colour)


def show_showing(game: Game[Any], spec: ActionSpec, one: PickField) -> list[Shown]:
    """Return the dice that a pick selects from. How they look is said by the pick, else by the spec's other dice."""
    dice = next((other for other in spec.fields if isinstance(other, DiceField)), None)
    faces = one.faces or (() if dice is None else dice.faces)
    colour = one.colour if one.faces or dice is None else dice.colour
    known = {face.face for face in faces}
    plain = [FaceSpec(face, Text(str(face).replace("%", "%%"))) for face in one.showing if face not in known]
    shown = {face["value"]: face for face in _show_all(game, [*faces, *plain], colour)}
    return [shown[str(face)] for face in one.showing]


def _show_all(game: Game[Any], faces: Sequence[FaceSpec], colour: Colour) -> list[Shown]:
    """Pips are for dice whose numbers are 1 to 6; on any other die a 5 is drawn like the 10 beside it."""
    has_pips = all(face.face in PIPS for face in faces if isinstance(face.face, int))
    return [{**_show_face(game, face), "colour": colour, "is_plain": not has_pips} for face in faces]


def _show_face(game: Game[Any], spec: FaceSpec) -> Shown:
    """Return how a face is written, what is drawn, the word beside it, and the game's own picture if it has one.

    A word that is the face itself with a mark, such as a ring, is drawn in its place.
    """
    value, word = str(spec.face), say(spec.word)
    art = (find_fragment(game, f"faces/{spec.art}.svg") if spec.art else None) or ""
    is_marked = value in word and len(word) <= SHORT
    return {"value": value, "face": word if is_marked else value, "word": word, "art": art}
