"""Recorded odds: questions to every game, with the answers that `python -m games odds` prints.

A file `tests/games/<game>/odds.jsonl` has one question a line, as an object with `about` (what it shows), `question`
and `answer`. The figures are those of the program; plain recursions in each game's `test_odds.py` show that they are
right, and the recordings that they stay so. After a change to a rule book, or when questions are added,
``python -m tests.games.recorded_odds`` answers them again; nothing else may change an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from games.core.odds_question import answer
from games.core.registry import find_games
from tests.games.all_games import PACKAGES, get_test_folder

EXACT = 1e-9


class RecordedOdds(NamedTuple):
    """One question with its answer."""

    path: Path
    about: str
    question: Any
    answer: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}: {self.about}"


def list_files() -> list[Path]:
    """Return the files of all games that tell odds."""
    telling = [package for package in PACKAGES if import_module(package).GAME.odds_measure is not None]
    return [get_test_folder(package) / "odds.jsonl" for package in telling]


def list_recorded_odds(path: Path) -> Iterator[RecordedOdds]:
    """Yield the questions of a file."""
    for line in path.read_text("utf-8").splitlines():
        data = json.loads(line)
        yield RecordedOdds(path, data["about"], data["question"], data.get("answer", {}))


def is_same(found: Any, expected: Any) -> bool:
    """Return whether two answers are the same, with figures that differ by rounding alone (`EXACT`)."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(is_same(found[key], expected[key]) for key in found)
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(is_same, found, expected))
    if isinstance(found, float) and isinstance(expected, float):
        return abs(found - expected) <= EXACT
    return type(found) is type(expected) and found == expected


def main() -> None:
    """Answer every recorded question again."""
    for path in list_files():
        lines = [
            {"about": one.about, "question": one.question, "answer": answer(one.question, find_games())}
            for one in list_recorded_odds(path)
        ]
        path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
