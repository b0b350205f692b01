"""Kinds of dice as plain data, and the kinds that an event has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from games.core.dice import DieKind
from games.core.specs import FaceSpec
from games.core.text import Text
from scorekeeper.events.models import Contest

DieData = dict[str, Any]


class EventDie(NamedTuple):
    """A kind of die of an event, and the key of a game that has it, which knows the pictures of its faces."""

    kind: DieKind
    game_key: str

    @property
    def signature(self) -> tuple[object, ...]:
        """What two games' dice must have in common to be of the same kind."""
        return self.kind.key, tuple(face.face for face in self.kind.faces), self.kind.weights

    def to_data(self) -> DieData:
        """Return the kind as JSON values. Texts are stored as the game wrote them, to be translated when shown."""
        return {
            "game": self.game_key,
            "key": self.kind.key,
            "label": self.kind.label.template,
            "faces": [[face.face, face.word.template, face.art] for face in self.kind.faces],
            "weights": list(self.kind.weights),
            "dice": self.kind.dice,
            "colour": self.kind.colour,
        }

    @classmethod
    def from_data(cls, data: DieData) -> EventDie:
        """Return the kind that was stored."""
        faces = tuple(FaceSpec(face, Text(word), art) for face, word, art in data["faces"])
        kind = DieKind(data["key"], Text(data["label"]), faces, tuple(data["weights"]), data["dice"], data["colour"])
        return cls(kind, data["game"])


def list_dice(contests: Iterable[Contest]) -> list[EventDie]:
    """Return the kinds of dice of these contests, each once."""
    found: dict[tuple[object, ...], EventDie] = {}
    for contest in contests:
        for kind in contest.game.dice_kinds(contest.ruleset.setup):
            die = EventDie(kind, contest.game_key)
            found.setdefault(die.signature, die)
    return list(found.values())
