"""The actions of the games as JSON schemas, made from the same action types that read them.

A contest may change what can be read, such as the faces of the dice, so a schema takes whatever some contest takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from games.core.actions import ActionType
from games.core.game import Game, Ruleset
from games.core.options import ChoiceOption, FlagOption, NumberOption, Option
from games.core.problems import Malformed
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
    types: dict[str, list[ActionType]] = {}
    for ruleset in list_rulesets(game):
        for name, kind in ruleset.types.items():
            types.setdefault(name, []).append(kind)
    kinds = [_describe_type(f"{_name_in_code(game)} {name}", found) for name, found in types.items()]
    words = f"An action of {translate(game.name)}, as in its rule book. A turn at a stop leaves out the seat."
    return {"oneOf": kinds, "description": words}


def list_rulesets(game: Game[Any]) -> Iterator[Ruleset]:
    """Yield the rules with the usual options, and with each option changed to the ends of its range or its choices."""
    yield game.ruleset()
    for option in game.declared_options:
        for value in _list_values(option):
            try:
                yield game.ruleset({option.name: value})
            except Malformed:  # it does not go with the usual value of another option
                continue


def _list_values(option: Option) -> Iterable[object]:
    match option:
        case NumberOption(values=values) if values:
            return values
        case NumberOption(low=low, high=high):
            return [low] if high is None else [low, high]
        case FlagOption():
            return [False, True]
        case ChoiceOption(choices=choices):
            return [value for value, _label in choices]
        case _:
            return []


def _describe_type(title: str, kinds: Sequence[ActionType]) -> Schema:
    """Return the schema of an action, from its types in several rulesets."""
    names = dict.fromkeys(field for kind in kinds for field in kind.fields)
    fields = {name: _describe_readers([kind.fields[name] for kind in kinds if name in kind.fields]) for name in names}
    seat: Schema = {"seat": {"type": "integer", "minimum": 0}} if kinds[0].has_seat else {}
    required = [name for name in names if all(name in kind.fields and name not in kind.defaults for kind in kinds)]
    return {
        "title": title,
        "type": "object",
        "properties": {"type": {"type": "string", "enum": [kinds[0].record.type]}, **seat, **fields},
        "required": ["type", *required],
        "additionalProperties": False,
    }


def _describe_readers(readers: Sequence[Reader[Any]]) -> Schema:
    """Return the schema of a field that takes whatever one of the readers takes.

    One that a game reads in a way of its own may be anything.
    """
    faces = dict.fromkeys(face for reader in readers if isinstance(reader, OneFace | Faces) for face in reader.faces)
    match readers[0]:
        case WholeNumber():
            numbers = [reader for reader in readers if isinstance(reader, WholeNumber)]
            lows, highs = [number.low for number in numbers], [number.high for number in numbers]
            low = None if None in lows else min(low for low in lows if low is not None)
            high = None if None in highs else max(high for high in highs if high is not None)
            limits = {"minimum": low, "maximum": high}
            return {"type": "integer", **{name: limit for name, limit in limits.items() if limit is not None}}
        case Flag():
            return {"type": "boolean"}
        case OneFace():
            return _describe_faces(faces)
        case Faces():
            return {"type": "array", "items": _describe_faces(faces)}
        case OneOf():
            words = dict.fromkeys(word for reader in readers if isinstance(reader, OneOf) for word in reader.values)
            return {"type": "string", "enum": list(words)}
        case _:
            return {}


def _describe_faces(faces: Iterable[Face]) -> Schema:
    """Return the schema of a face. Numbers and words stand apart: many generated clients cannot mix them."""
    known = list(faces)
    numbers, words = ([face for face in known if isinstance(face, kind)] for kind in (int, str))
    kinds = (("integer", numbers), ("string", words))
    described: list[Schema] = [{"type": name, "enum": values} for name, values in kinds if values]
    return described[0] if len(described) == 1 else {"anyOf": described}
