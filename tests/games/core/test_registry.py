"""How games are found: in their folders, and in packages that the caller names."""

from __future__ import annotations

import pytest

from games.core.game import Game
from games.core.registry import find_games
from tests.games.all_games import TOY


def test_our_own_games_are_found_by_their_folders() -> None:
    assert "rock-yahtzee" in find_games()
    assert "pig-race" not in find_games()


def test_an_extra_game_is_found_by_the_name_of_its_package() -> None:
    games = find_games((TOY,))
    assert list(games)[-1] == "pig-race"
    assert all(isinstance(game, Game) and game.key == key for key, game in games.items())


def test_two_games_with_one_key_are_an_error() -> None:
    with pytest.raises(ValueError, match="pig-race"):
        find_games((TOY, TOY))


def test_a_ruleset_with_the_same_options_is_the_same_ruleset() -> None:
    game = find_games()["rock-yahtzee"]
    assert game.ruleset() == game.ruleset({"turns": 5})
    assert hash(game.ruleset()) == hash(game.ruleset({"turns": 5}))
    assert game.ruleset() != game.ruleset({"turns": 4})
