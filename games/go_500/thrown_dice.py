"""The kinds of dice of a kit, and which of them an action threw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.core.actions import Action
from games.core.dice import DieKind
from games.core.reading import Face
from games.core.specs import Colour, FaceSpec
from games.core.text import Text, gettext_noop
from games.go_500.actions import Penalty, Reroll, Roll
from games.go_500.faces import FLAG_ART, get_art
from games.go_500.kit import BLACK_DICE, FLAGS, GREEN_FLAG
from games.go_500.names import make_text
from games.go_500.offers import FLAG, FLAG_WORDS, GREEN_WORDS, RED_WORDS, YELLOW_WORDS
from games.go_500.state import Penalties, Race, Setup, Thrown

LABELS = {
    "black": gettext_noop("Black dice"),
    "green": gettext_noop("Green die"),
    "yellow": gettext_noop("Yellow die"),
    "red": gettext_noop("Red die"),
}
WORDS: Mapping[str, Mapping[str, Text]] = {"green": GREEN_WORDS, "yellow": YELLOW_WORDS, "red": RED_WORDS}
COLOURS: tuple[Colour, ...] = ("black", "green", "yellow", "red")
GREEN_SIDES = 3  # of the flag die (GO-17)


def list_dice_kinds(setup: Setup) -> tuple[DieKind, ...]:
    """Return the kinds of dice in the bag (GO-16, GO-17), without dice that have a single face."""
    return (*_list_colours(setup), _make_flag_die())


def _list_colours(setup: Setup) -> Iterator[DieKind]:
    for colour in COLOURS:
        die = getattr(setup, colour)
        faces = tuple(FaceSpec(face, _name_face(colour, face), get_art(die, colour, face)) for face in die.values)
        if len(faces) > 1:
            count = BLACK_DICE if colour == "black" else 1
            yield DieKind(colour, LABELS[colour], faces, (1,) * len(faces), count, colour)


def _name_face(colour: Colour, face: Face) -> Text:
    return WORDS.get(colour, {}).get(str(face)) or make_text(str(face))


def _make_flag_die() -> DieKind:
    faces = tuple(FaceSpec(flag, word, FLAG_ART[flag]) for flag, word in zip(FLAGS, FLAG_WORDS, strict=True))
    return DieKind("flag", FLAG, faces, tuple(GREEN_SIDES if flag == GREEN_FLAG else 1 for flag in FLAGS))


def find_thrown_dice(setup: Setup, race: Race, action: Action) -> Mapping[str, Sequence[Face]]:
    """Return the faces thrown by colour: all dice in play (GO-5, GO-6), or the penalty die (GO-10 to GO-13).

    Args:
        race: the state before the action.
    """
    moment = race.moment
    if isinstance(action, Penalty) and isinstance(moment, Penalties):
        return _select(setup, {_get_penalty_colour(moment): (action.face,) if action.faces is None else action.faces})
    if isinstance(action, Reroll) and isinstance(moment, Thrown):
        return _select(setup, {_get_penalty_colour(moment.penalties): (action.face,)})
    if isinstance(action, (Roll, Reroll)):
        return _select(setup, {"black": action.black, "green": (action.green,), "flag": (action.flag,)})
    return {}


def _get_penalty_colour(penalties: Penalties) -> str:
    return "yellow" if penalties.rule == "GO-10" else "red"


def _select(setup: Setup, faces: Mapping[str, Sequence[Face | None]]) -> Mapping[str, Sequence[Face]]:
    """Return the faces of dice that were thrown, without dice that have a single face."""
    told = {kind.key for kind in list_dice_kinds(setup)}
    thrown = {key: tuple(face for face in shown if face is not None) for key, shown in faces.items() if key in told}
    return {key: shown for key, shown in thrown.items() if shown}
