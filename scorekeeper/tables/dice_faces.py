"""The faces of dice as the pages draw them, as plain data for `components/die.html`."""

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


def present_faces(game: Game[Any], one: DiceField) -> list[TemplateData]:
    """Return the faces of a field's dice, in the order of the game."""
    return _present_all(game, one.faces, one.colour)


def present_dice_in_sight(game: Game[Any], spec: ActionSpec, one: PickField) -> list[TemplateData]:
    """Return the dice that a pick selects from. How they look is said by the pick, else by the spec's other dice."""
    dice = next((other for other in spec.fields if isinstance(other, DiceField)), None)
    faces = one.faces or (() if dice is None else dice.faces)
    colour = one.colour if one.faces or dice is None else dice.colour
    known = {face.face for face in faces}
    plain = [FaceSpec(face, Text(str(face).replace("%", "%%"))) for face in one.showing if face not in known]
    shown = {face["value"]: face for face in _present_all(game, [*faces, *plain], colour)}
    return [shown[str(face)] for face in one.showing]


def _present_all(game: Game[Any], faces: Sequence[FaceSpec], colour: Colour) -> list[TemplateData]:
    """Pips are for dice whose numbers are 1 to 6; on any other die a 5 is drawn like the 10 beside it."""
    has_pips = all(face.face in PIPS for face in faces if isinstance(face.face, int))
    return [{**_present_face(game, face), "colour": colour, "is_plain": not has_pips} for face in faces]


def _present_face(game: Game[Any], spec: FaceSpec) -> TemplateData:
    """Return how a face is written, what is drawn, the word beside it, and the game's own picture if it has one.

    A word that is the face itself with a mark, such as a ring, is drawn in its place.
    """
    value, word = str(spec.face), translate(spec.word)
    art = (find_fragment(game, f"faces/{spec.art}.svg") if spec.art else None) or ""
    is_marked = value in word and len(word) <= MAX_LARGE_LABEL
    return {"value": value, "face": word if is_marked else value, "word": word, "art": art}
