"""Playthroughs have the expected answers, and every game has the required playthroughs."""

from __future__ import annotations

import pytest

from games.core.transcript import score
from tests.games.all_games import GAMES, OPTIONS, list_rulesets
from tests.games.playthroughs import Playthrough, list_playthroughs

PLAYTHROUGHS = list(list_playthroughs())


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_a_playthrough_has_its_expected_answer(playthrough: Playthrough) -> None:
    assert score(playthrough.transcript, GAMES) == playthrough.answer


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_playthrough_with_its_defaults_and_one_for_each_option(key: str) -> None:
    played = [p.transcript.get("options", {}) for p in PLAYTHROUGHS if p.transcript["ruleset"] == key]
    assert {} in played
    missing = {option.name for option in GAMES[key].declared_options} - {name for options in played for name in options}
    assert not missing


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_playthrough_to_the_end_and_one_that_is_rejected(key: str) -> None:
    answers = [p.answer for p in PLAYTHROUGHS if p.transcript["ruleset"] == key]
    assert any(answer["ok"] and answer["finished"] for answer in answers)
    assert any(not answer["ok"] and answer["rule"] for answer in answers)


def test_every_option_of_every_game_is_played_by_the_random_plays_too() -> None:
    for key, game in GAMES.items():
        assert {name for options in OPTIONS[key] for name in options} == {o.name for o in game.declared_options}
    assert len(list(list_rulesets())) == len(GAMES) + sum(len(options) for options in OPTIONS.values())
