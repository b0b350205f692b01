"""The actions of the games as JSON schemas, made from the same action types that read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.core.actions import ActionType
from games.core.game import Game
from games.core.reading import Face, Faces, Flag, OneFace, OneOf, Reader, WholeNumber
from scorekeeper.common.game_adapter import list_games, translate

Schema = dict[str, Any]


def list_action_schemas() -> dict[str, Schema]:
    """Return the schema of the actions of each game, by the name of its component: "RockYahtzeeAction"."""
    return {get_component_name(game): _describe_game(game) for game in list_games().values()}


def describe_actions() -> Schema:
    """Return the schema of one action of any game."""
    refs = [{"$ref": f"#/components/schemas/{get_component_name(game)}"} for game in list_games().values()]
    words = "An action of the contest’s game. Anything else is not lost: it goes to the organiser’s review."
    return {"anyOf": refs, "description": words}


def get_component_name(game: Game[Any]) -> str:
    """Return the name of the component with a game's actions."""
    return f"{_name_in_code(game)}Action"


def _name_in_code(game: Game[Any]) -> str:
    return "".join(word.capitalize() for word in game.key.split("-"))


def _describe_game(game: Game[Any]) -> Schema:
    kinds = [_describe_type(f"{_name_in_code(game)} {name}", kind) for name, kind in game.ruleset().types.items()]
    words = f"An action of {translate(game.name)}, as in its rule book. A turn at a stop leaves out the seat."
    return {"oneOf": kinds, "description": words}


def _describe_type(title: str, kind: ActionType) -> Schema:
    fields = {field: _describe_reader(reader) for field, reader in kind.fields.items()}
    seat: Schema = {"seat": {"type": "integer", "minimum": 0}} if kind.has_seat else {}
    return {
        "title": title,
        "type": "object",
        "properties": {"type": {"type": "string", "enum": [kind.record.type]}, **seat, **fields},
        "required": ["type", *(field for field in fields if field not in kind.defaults)],
        "additionalProperties": False,
    }


def _describe_reader(reader: Reader[Any]) -> Schema:
    """Return the schema of a field. One that a game reads in a way of its own may be anything."""
    match reader:
        case WholeNumber(low, high):
            limits = {"minimum": low, "maximum": high}
            return {"type": "integer", **{name: limit for name, limit in limits.items() if limit is not None}}
        case Flag():
            return {"type": "boolean"}
        case OneFace(faces):
            return _describe_faces(faces)
        case Faces(faces):
            return {"type": "array", "items": _describe_faces(faces)}
        case OneOf(values):
            return {"type": "string", "enum": list(values)}
        case _:
            return {}


def _describe_faces(faces: Iterable[Face]) -> Schema:
    """Return the schema of a face. Numbers and words stand apart: many generated clients cannot mix them."""
    known = list(faces)
    numbers, words = ([face for face in known if isinstance(face, kind)] for kind in (int, str))
    kinds = (("integer", numbers), ("string", words))
    described: list[Schema] = [{"type": name, "enum": values} for name, values in kinds if values]
    return described[0] if len(described) == 1 else {"anyOf": described}
