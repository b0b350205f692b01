"""The games that the tests of what holds in every game run over: all of ours, and the toy."""

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

# Options worth playing besides the defaults: together they name every option of the game.
OPTIONS: Mapping[str, tuple[dict[str, Any], ...]] = {
    import_module(package).GAME.key: import_module(f"tests.games.{package.rpartition('.')[2]}.options").OPTIONS
    for package in PACKAGES
}


def list_rulesets() -> Iterator[Ruleset]:
    """Every game with its defaults and with the options worth playing."""
    for key, game in GAMES.items():
        yield game.ruleset()
        for options in OPTIONS[key]:
            yield game.ruleset(options)


def get_game_folder(package: str) -> Path:
    """The folder that a game's package lies in."""
    return Path(str(import_module(package).__file__)).parent


def get_test_folder(package: str) -> Path:
    """The folder that the tests of a game lie in."""
    return Path(__file__).parent / package.rpartition(".")[2]
