"""The faces of dice as plain data for `components/die.html`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.dice import PIPS
from games.core.game import Game
from games.core.specs import ActionSpec, Colour, DiceField, FaceSpec, PickField
from games.core.text import Text
from scorekeeper.common.game_adapter import find_fragment, translate

TemplateData = dict[str, Any]

MAX_LARGE_LABEL = 4  # characters of a label that can be drawn large


def present_faces(game: Game[Any], field: DiceField) -> list[TemplateData]:
    """Return the faces of a field's dice, in the order of the game."""
    return _present_all(game, field.faces, field.colour)


def present_dice_in_sight(game: Game[Any], spec: ActionSpec, field: PickField) -> list[TemplateData]:
    """Return the dice that a pick selects from. The pick says how they look, or else the spec's other dice."""
    dice = next((other for other in spec.fields if isinstance(other, DiceField)), None)
    faces = field.faces or (() if dice is None else dice.faces)
    colour = field.colour if field.faces or dice is None else dice.colour
    known = {face.face for face in faces}
    plain = [FaceSpec(face, Text(str(face).replace("%", "%%"))) for face in field.showing if face not in known]
    shown = {face["value"]: face for face in _present_all(game, [*faces, *plain], colour)}
    return [shown[str(face)] for face in field.showing]


def _present_all(game: Game[Any], faces: Sequence[FaceSpec], colour: Colour) -> list[TemplateData]:
    """Return the faces; only dice numbered 1 to 6 have pips, since on others a 5 must look like the 10 beside it."""
    has_pips = all(face.face in PIPS for face in faces if isinstance(face.face, int))
    return [{**_present_face(game, face), "colour": colour, "is_plain": not has_pips} for face in faces]


def _present_face(game: Game[Any], spec: FaceSpec) -> TemplateData:
    """Return the value of a face, what is drawn, the label beside it, and the game's own picture if it has one.

    A label that is the face itself with a mark, such as a ring, is drawn instead of the value.
    """
    value, word = str(spec.face), translate(spec.word)
    art = (find_fragment(game, f"faces/{spec.art}.svg") if spec.art else None) or ""
    is_marked = value in word and len(word) <= MAX_LARGE_LABEL
    return {"value": value, "face": word if is_marked else value, "word": word, "art": art}
