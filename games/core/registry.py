"""The registry of games: every subpackage of `games` with a `GAME`, and extra packages that the caller names."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import games
from games.core.game import Game


def list_game_packages(extra: Sequence[str] = ()) -> list[str]:
    """Return the dotted names of the game packages: our own in alphabetical order, then the extra ones."""
    own = sorted(info.name for info in pkgutil.iter_modules(games.__path__) if info.ispkg and info.name != "core")
    return [f"games.{name}" for name in own] + list(extra)


@lru_cache
def find_games(extra: tuple[str, ...] = ()) -> Mapping[str, Game[Any]]:
    """Return the games by key.

    Args:
        extra: dotted names of more packages, each with a `GAME`.

    Raises:
        ValueError: two games have the same key.
    """
    found: dict[str, Game[Any]] = {}
    for name in list_game_packages(extra):
        game: Game[Any] = import_module(name).GAME
        if game.key in found:
            raise ValueError(f"two games are called {game.key!r}; the second is in {name}")
        found[game.key] = game
    return found
