"""Parser of the demo ride's file: its head, its groups, and its entries as steps.

The head of `ride.toml` explains the notation of a turn; `parse_turn` converts it into actions. A line that cannot be
read raises `ValueError` with the line.
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
TURN_LINE = re.compile(
    r"(?P<verb>review |correct |)(?P<bike>\d+(?:\(\d+\))?)(?: at (?P<at>\d+))? +(?P<who>\w+) +(?P<turn>.+)"
)
WALK_UP_LINE = re.compile(r'walk-up (?P<number>\d+) (?P<who>\w+) "(?P<machine>[^"]+)" (?P<people>.+)')
MISSED = re.compile(r"missed(?: at (?P<slot>\d+))?")
REASON_SUFFIX = re.compile(r' because "(?P<reason>[^"]+)"$')

Actions = list[dict[str, Any]]
StepKind = Literal["record", "review", "again", "correct", "walk-up"]


@dataclass(frozen=True)
class BikeLine:
    """A bike of the roster: "57" or "57(2)", with its make, model and people, the rider first."""

    bike: str
    make: str
    model: str
    people: tuple[str, ...]

    @property
    def number(self) -> int:
        """The number without the suffix."""
        return int(self.bike.partition("(")[0])


@dataclass(frozen=True)
class RideStep:
    """Something that a crew member does at a stop.

    Attributes:
        slot: the turn it is about, counted from 1.
        bike: as the file calls it.
        who: the name of the crew member.
        actions: the turn; empty for "again" and "walk-up".
        reason: for a correction, and for a turn recorded at another stop.
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
class RideScript:
    """The file: `event`, `page`, `finale`, prizes and groups as they are there, and each slot's steps in order."""

    event: Mapping[str, Any]
    page: Mapping[str, Any]
    groups: tuple[Mapping[str, Any], ...]
    prizes: tuple[Mapping[str, Any], ...]
    steps: Mapping[int, tuple[RideStep, ...]]
    finale: Mapping[str, Any]


def read_ride_script(path: Path = FILE) -> RideScript:
    """Read the ride."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    steps = {part["slot"]: tuple(_parse_steps(part["slot"], part["entries"])) for part in data["turns"]}
    return RideScript(data["event"], data["page"], tuple(data["groups"]), tuple(data["prizes"]), steps, data["finale"])


def parse_bikes(lines: str) -> list[BikeLine]:
    """Return the bikes of a group's roster."""
    return [_make_bike_line(_match_line(BIKE_LINE, line)) for line in lines.split("\n") if line.strip()]


def parse_turn(text: str) -> Actions:
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
        return [{"type": "result", "dice": _parse_dice(seen.removeprefix("final "))}, score]
    return [*(_parse_roll(part) for part in seen.split(", ")), score]


def _parse_roll(text: str) -> dict[str, Any]:
    words = text.split()
    if words[0] == "roll" and len(words) == 2:
        return {"type": "roll", "dice": _parse_dice(words[1])}
    if words[0] == "keep" and words[2:3] == ["roll"] and len(words) == 4:
        return {"type": "roll", "keep": _parse_dice(words[1]), "dice": _parse_dice(words[3])}
    raise ValueError(f"not a roll: {text!r}")


def _parse_dice(digits: str) -> list[int]:
    return [int(digit) for digit in digits]


def _parse_steps(slot: int, lines: str) -> Iterator[RideStep]:
    for line in lines.split("\n"):
        text = line.strip()
        if text == "again":
            yield RideStep("again", slot)
        elif text.startswith("walk-up "):
            found = _match_line(WALK_UP_LINE, text)
            yield RideStep("walk-up", slot, who=found["who"], walk_up=_make_bike_line(found))
        elif text:
            yield _parse_turn_line(slot, text)


def _parse_turn_line(slot: int, text: str) -> RideStep:
    found = _match_line(TURN_LINE, text)
    turn, reason = found["turn"], ""
    because = REASON_SUFFIX.search(turn)
    if because:
        turn, reason = turn[: because.start()], because["reason"]
    missed = MISSED.fullmatch(turn)
    if missed and missed["slot"]:
        slot, turn, reason = int(missed["slot"]), "missed", "joined later"
    kinds: Mapping[str, StepKind] = {"": "record", "review ": "review", "correct ": "correct"}
    at = int(found["at"]) if found["at"] else slot
    return RideStep(kinds[found["verb"]], at, found["bike"], found["who"], parse_turn(turn), reason)


def _make_bike_line(found: re.Match[str]) -> BikeLine:
    make, _, model = found["machine"].strip().partition(" ")
    people = tuple(name.strip() for name in found["people"].split(" + "))
    return BikeLine(found["number"], make, model, people)


def _match_line(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    found = pattern.fullmatch(line.strip())
    if found is None:
        raise ValueError(f"cannot be read: {line!r}")
    return found
