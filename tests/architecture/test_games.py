"""What a game may import: the standard library, the core and itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games.core.registry import find_games

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"
FILES = sorted(GAMES.rglob("*.py"))
# Only the time limit of long calculations reads a clock. It decides whether there is an answer, not which.
WITHOUT_CLOCK = [path for path in FILES if path != GAMES / "core" / "time_limit.py"]
OWN = sorted(folder.name for folder in GAMES.iterdir() if (folder / "__init__.py").exists() and folder.name != "core")
# The files that must not name a game. The demo may, because its ride is played with all games.
ELSEWHERE = [
    path
    for folder in ("games/core", "scorekeeper", "config", "templates", "static")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".js", ".css", ".txt", ".json", ".toml")
    and not any("demo" in part for part in path.relative_to(ROOT).parts)
]


@cache
def list_imports(path: Path) -> tuple[str, ...]:
    """Return the dotted name of everything that a file imports, anywhere in the file."""
    return tuple(_iter_imports(path))


def _iter_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def home_of(path: Path) -> str:
    """Return the subpackage of `games` that a file is in, or an empty string."""
    parts = path.relative_to(GAMES).parts
    return parts[0] if len(parts) > 1 else ""


def test_a_game_imports_only_the_standard_library_the_core_and_itself() -> None:
    for path in FILES:
        allowed_games = {"core", home_of(path)} if home_of(path) else {"core"}
        for name in list_imports(path):
            top, *rest = name.split(".")
            if top == "games":
                assert not rest or rest[0] in allowed_games or rest[0] not in [*OWN, "core"], (path, name)
            else:
                assert top in sys.stdlib_module_names, (path, name)


def test_a_game_uses_no_clock_and_no_random_numbers() -> None:
    for path in WITHOUT_CLOCK:
        for name in list_imports(path):
            assert name.split(".")[0] not in {"time", "datetime", "random", "secrets", "uuid"}, (path, name)


def test_there_are_games_to_check() -> None:
    assert set(OWN) <= {key.replace("-", "_") for key in find_games()}
    assert OWN
    assert len(WITHOUT_CLOCK) > 100


@pytest.mark.parametrize("key", sorted(find_games()))
def test_a_games_key_appears_nowhere_outside_its_folder(key: str) -> None:
    spellings = {key, key.replace("-", "_")}
    found = [
        str(path.relative_to(ROOT)) for path in ELSEWHERE if any(spelling in path.read_text() for spelling in spellings)
    ]
    assert found == []
