"""The games that the conformance tests run with: all our own games, and the toy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from games.core.game import Game, Ruleset
from games.core.registry import find_games, list_game_packages

TOY = "tests.games.toy"
PACKAGES = list_game_packages((TOY,))
GAMES: Mapping[str, Game[Any]] = find_games((TOY,))

# Options to play besides the defaults. Together they contain every option of the game.
OPTIONS: Mapping[str, tuple[dict[str, Any], ...]] = {
    import_module(package).GAME.key: import_module(f"tests.games.{package.rpartition('.')[2]}.options").OPTIONS
    for package in PACKAGES
}


def list_rulesets() -> Iterator[Ruleset]:
    """Yield every game with its defaults and with its `OPTIONS`."""
    for key, game in GAMES.items():
        yield game.ruleset()
        for options in OPTIONS[key]:
            yield game.ruleset(options)


def get_game_folder(package: str) -> Path:
    """Return the folder of a game's package."""
    return Path(str(import_module(package).__file__)).parent


def get_test_folder(package: str) -> Path:
    """Return the folder of a game's tests."""
    return Path(__file__).parent / package.rpartition(".")[2]
