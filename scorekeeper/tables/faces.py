"""The faces of dice as the pages draw them, as plain data for `components/die.html`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.core.game import Game
from games.core.reading import Face
from games.core.specs import ActionSpec, Colour, DiceField, FaceSpec, PickField
from scorekeeper.common.rules import find_fragment, say

Shown = dict[str, Any]


def show_face(game: Game[Any], spec: FaceSpec, colour: Colour) -> Shown:
    """Return one face: as it is written, the word for it, and the game's own picture if there is one."""
    art = (find_fragment(game, f"faces/{spec.art}.svg") if spec.art else None) or ""
    return {"value": str(spec.face), "face": str(spec.face), "word": say(spec.word), "art": art, "colour": colour}


def show_faces(game: Game[Any], one: DiceField) -> list[Shown]:
    """Return the faces of a field's dice, in the order of the game."""
    return [show_face(game, face, one.colour) for face in one.faces]


def show_showing(game: Game[Any], spec: ActionSpec, one: PickField) -> list[Shown]:
    """Return the dice that a pick selects from. How they look is said by the pick, else by the spec's other dice."""
    known, colour = _list_known(spec, one)
    return [
        show_face(game, known[face], colour)
        if face in known
        else {"value": str(face), "face": str(face), "word": str(face), "art": "", "colour": colour}
        for face in one.showing
    ]


def _list_known(spec: ActionSpec, one: PickField) -> tuple[dict[Face, FaceSpec], Colour]:
    dice = next((other for other in spec.fields if isinstance(other, DiceField)), None)
    colour = one.colour if one.faces or dice is None else dice.colour
    faces: Iterable[FaceSpec] = one.faces or (dice.faces if dice is not None else ())
    return {face.face: face for face in faces}, colour
