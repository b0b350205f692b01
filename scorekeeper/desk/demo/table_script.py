"""Parser of the games at the tables of the demo ride.

The head of `tables.toml` explains the notation. The parser knows no game: the fields that the file lists for a game are
enough to convert a line into actions. A line that cannot be read raises `ValueError` with the line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("tables.toml")
THE_TABLE = "The table"
OMITTED = "-"

Action = dict[str, Any]
Fields = Mapping[str, str]


@dataclass(frozen=True)
class TableScript:
    """A table.

    Attributes:
        seats: the names of the players, in the order of their seats.
        crew_member: the name of the crew member who records; empty where nothing is recorded yet.
        actions: as in a transcript.
    """

    seats: tuple[str, ...]
    crew_member: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class ContestScript:
    """A contest at the tables.

    Attributes:
        preset: the key of the game's preset that it uses; empty for the rule book's defaults.
    """

    game: str
    name: str
    preset: str
    tables: tuple[TableScript, ...]


def read_contest_scripts(path: Path = FILE) -> tuple[ContestScript, ...]:
    """Read the contests at the tables, in their order."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        ContestScript(
            part["game"],
            part["name"],
            part.get("preset", ""),
            tuple(_parse_table(table, part["fields"]) for table in part["tables"]),
        )
        for part in data["contests"]
    )


def parse_plays(plays: str, seats: Sequence[str], fields: Fields) -> Iterator[Action]:
    """Yield the actions of a table.

    Args:
        seats: the names of the players.
        fields: the fields of every action of the game, as listed in the file.

    Raises:
        ValueError: a line is not in the notation.
    """
    for line in filter(None, map(str.strip, plays.split("\n"))):
        who, turn = (seats[0], line) if len(seats) == 1 else _split_seat(line, "  ")
        if who not in (*seats, THE_TABLE):
            raise ValueError(f"nobody of that name sits here: {line!r}")
        seat = {} if who == THE_TABLE else {"seat": seats.index(who)}
        for text in turn.split(", "):
            yield {**seat, **_parse_action(text, fields)}


def _parse_table(part: Mapping[str, Any], fields: Fields) -> TableScript:
    seats = tuple(part["seats"])
    return TableScript(seats, part.get("crew_member", ""), tuple(parse_plays(part.get("plays", ""), seats, fields)))


def _parse_action(text: str, fields: Fields) -> Action:
    word, *values = text.split()
    if word not in fields:
        raise ValueError(f"no action of this game: {text!r}")
    action: Action = {"type": word}
    for field in fields[word].split():
        name = field.rstrip("*,?")
        if field.endswith("?"):
            if values[:1] == [name]:
                action[name] = bool(values.pop(0))
        elif not values:
            raise ValueError(f"{name!r} is missing: {text!r}")
        else:
            value = values.pop(0)
            if value != OMITTED:
                action[name] = _parse_value(value, field)
    if values:
        raise ValueError(f"more than the fields of {word!r}: {text!r}")
    return action


def _parse_value(value: str, field: str) -> Any:
    if field.endswith("*"):
        return [_parse_face(face) for face in value]
    if field.endswith(","):
        return [_parse_face(face) for face in value.split(",")]
    return _parse_face(value)


def _parse_face(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdigit() else text


def _split_seat(line: str, gap: str) -> tuple[str, str]:
    who, found, turn = line.partition(gap)
    if not found:
        raise ValueError(f"a line begins with who, and two spaces: {line!r}")
    return who, turn.strip()
