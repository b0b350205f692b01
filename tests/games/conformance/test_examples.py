"""Examples and presets of options: legal with all options, played to the end, and each with a name of its own."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.game import Game, Ruleset
from games.core.handouts import list_rules_in_words
from games.core.replay import replay
from tests.games.all_games import GAMES, list_rulesets

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def list_rulesets_with_turns() -> list[Ruleset]:
    """Return all rulesets, and those with the fewest and the most turns."""
    found = list(list_rulesets())
    for game in GAMES.values():
        for option in game.declared_options:
            if option.name == game.slot_option:
                found += [game.ruleset({option.name: turns}) for turns in (option.low, option.high)]  # type: ignore[attr-defined]
        found += [game.ruleset(dict(preset.options)) for preset in game.presets]
    return found


@pytest.mark.parametrize("ruleset", list_rulesets_with_turns(), ids=lambda ruleset: ruleset.game.key)
def test_an_example_is_a_whole_legal_game_with_any_options(ruleset: Ruleset) -> None:
    actions = ruleset.game.example(ruleset.setup)
    if not actions:
        return
    played = replay(ruleset, 1, actions)
    assert played.failure is None
    assert ruleset.game.is_finished(played.state)


@every_game
def test_a_game_with_turns_at_stops_has_an_example(game: Game[Any]) -> None:
    assert game.slot_option is None or game.example(game.ruleset().setup)


@every_game
def test_presets_are_legal_and_have_names_of_their_own(game: Game[Any]) -> None:
    rulesets = [game.ruleset(dict(preset.options)) for preset in game.presets]
    labels = [preset.label.template for preset in game.presets]
    assert len({preset.key for preset in game.presets}) == len(set(labels)) == len(rulesets)
    for index, ruleset in enumerate(rulesets):
        assert ruleset.options not in [other.options for other in rulesets[:index]], labels[index]


@every_game
def test_the_rules_in_words_follow_the_options(game: Game[Any]) -> None:
    for preset in game.presets:
        for point in list_rules_in_words(game.handouts(game.ruleset(dict(preset.options)).setup)):
            assert "%(" not in point.text.fill(point.params)
