"""Playthroughs: files with a complete game and the answer that scoring it must give.

A file has `about` (what it shows), `transcript` and `answer`. People write the answer by hand, from the rule book.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.games.all_games import PACKAGES, get_test_folder


class Playthrough(NamedTuple):
    package: str
    path: Path
    transcript: dict[str, Any]
    answer: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.package.rpartition('.')[2]}: {self.path.stem}"


def list_playthroughs() -> Iterator[Playthrough]:
    """Yield every playthrough of every game."""
    for package in PACKAGES:
        for path in sorted((get_test_folder(package) / "playthroughs").glob("*.json")):
            data = json.loads(path.read_text("utf-8"))
            assert set(data) == {"about", "transcript", "answer"}, path
            yield Playthrough(package, path, data["transcript"], data["answer"])
