"""Reads the demo ride's file: its head, its groups, and its notes as steps.

The notation of a turn is explained at the head of `ride.toml`; `read_turn` turns it into actions. Anything that cannot
be read raises `ValueError` with the line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

FILE = Path(__file__).with_name("ride.toml")

BIKE_LINE = re.compile(r"(?P<number>\d+) +(?P<machine>\S.*?) {2,}(?P<people>.+)")
NOTE_LINE = re.compile(
    r"(?P<verb>waits |correct |)(?P<bike>\d+(?:\(\d+\))?)(?: at (?P<at>\d+))? +(?P<who>\w+) +(?P<turn>.+)"
)
WALK_UP_LINE = re.compile(r'walk-up (?P<number>\d+) (?P<who>\w+) "(?P<machine>[^"]+)" (?P<people>.+)')
MISSED = re.compile(r"missed(?: at (?P<slot>\d+))?")
BECAUSE = re.compile(r' because "(?P<reason>[^"]+)"$')

Actions = list[dict[str, Any]]
StepKind = Literal["note", "waits", "again", "correct", "walk-up"]


@dataclass(frozen=True)
class BikeLine:
    """A bike of the roster: "57" or "57(2)", its make and model, its people with the rider first."""

    bike: str
    make: str
    model: str
    people: tuple[str, ...]

    @property
    def number(self) -> int:
        """The number without the suffix."""
        return int(self.bike.partition("(")[0])


@dataclass(frozen=True)
class Step:
    """Something one of the crew does at a stop.

    Attributes:
        slot: the turn it is about, counted from 1.
        bike: as it is called in the file.
        who: the name of the crew member.
        actions: the turn; empty for "again" and "walk-up".
        reason: for a correction, and for a turn noted at another stop.
        walk_up: the bike that is registered.
    """

    kind: StepKind
    slot: int
    bike: str = ""
    who: str = ""
    actions: Actions | None = None
    reason: str = ""
    walk_up: BikeLine | None = None


@dataclass(frozen=True)
class Script:
    """The whole file: `event` and `finale` as they stand there, the groups, and each slot's steps in order."""

    event: Mapping[str, Any]
    groups: tuple[Mapping[str, Any], ...]
    steps: Mapping[int, tuple[Step, ...]]
    finale: Mapping[str, Any]


def read_script(path: Path = FILE) -> Script:
    """Read the ride."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    steps = {part["slot"]: tuple(_read_steps(part["slot"], part["notes"])) for part in data["turns"]}
    return Script(data["event"], tuple(data["groups"]), steps, data["finale"])


def read_bikes(lines: str) -> list[BikeLine]:
    """Return the bikes of a group's roster."""
    return [_bike(_match(BIKE_LINE, line)) for line in lines.split("\n") if line.strip()]


def read_turn(text: str) -> Actions:
    """Return the actions of a turn.

    Raises:
        ValueError: the text is not in the notation.
    """
    if text == "missed":
        return [{"type": "forfeit"}]
    how, _, rest = text.partition(" ")
    if how == "paper":
        box, points = rest.split()
        return [{"type": "paper", "box": box, "points": int(points)}]
    seen, arrow, box = text.partition(" > ")
    if not arrow:
        raise ValueError(f"a turn ends with “> box”: {text!r}")
    score = {"type": "score", "box": box}
    if how == "final":
        return [{"type": "result", "dice": _dice(seen.removeprefix("final "))}, score]
    return [*(_roll(part) for part in seen.split(", ")), score]


def _roll(text: str) -> dict[str, Any]:
    words = text.split()
    if words[0] == "roll" and len(words) == 2:
        return {"type": "roll", "dice": _dice(words[1])}
    if words[0] == "keep" and words[2:3] == ["roll"] and len(words) == 4:
        return {"type": "roll", "keep": _dice(words[1]), "dice": _dice(words[3])}
    raise ValueError(f"not a roll: {text!r}")


def _dice(digits: str) -> list[int]:
    return [int(digit) for digit in digits]


def _read_steps(slot: int, notes: str) -> Iterator[Step]:
    for line in notes.split("\n"):
        text = line.strip()
        if text == "again":
            yield Step("again", slot)
        elif text.startswith("walk-up "):
            found = _match(WALK_UP_LINE, text)
            yield Step("walk-up", slot, who=found["who"], walk_up=_bike(found))
        elif text:
            yield _read_note(slot, text)


def _read_note(slot: int, text: str) -> Step:
    found = _match(NOTE_LINE, text)
    turn, reason = found["turn"], ""
    because = BECAUSE.search(turn)
    if because:
        turn, reason = turn[: because.start()], because["reason"]
    missed = MISSED.fullmatch(turn)
    if missed and missed["slot"]:
        slot, turn, reason = int(missed["slot"]), "missed", "joined later"
    kinds: Mapping[str, StepKind] = {"": "note", "waits ": "waits", "correct ": "correct"}
    at = int(found["at"]) if found["at"] else slot
    return Step(kinds[found["verb"]], at, found["bike"], found["who"], read_turn(turn), reason)


def _bike(found: re.Match[str]) -> BikeLine:
    make, _, model = found["machine"].strip().partition(" ")
    people = tuple(name.strip() for name in found["people"].split(" + "))
    return BikeLine(found["number"], make, model, people)


def _match(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    found = pattern.fullmatch(line.strip())
    if found is None:
        raise ValueError(f"cannot be read: {line!r}")
    return found
