"""The picture of a table, checked against the state at every moment of random games, and by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.core.text import Text
from games.rogue import GAME
from games.rogue.state import Table
from tests.games.all_games import list_rulesets
from tests.games.rogue.table import play, turn
from tests.games.sampling import walk

RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game is GAME]


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: str(dict(ruleset.options)))
def test_the_picture_matches_the_state_at_every_moment(ruleset: Ruleset, seats: int) -> None:
    for moment in walk(ruleset, seats, Random(seats)):
        shown, table = GAME.display(moment.state), moment.state
        assert shown is not None
        json.dumps(shown, default=_write_text)
        assert [seat["points"] for seat in shown["seats"]] == list(table.scores)
        acting = [seat["number"] - 1 for seat in shown["seats"] if seat["is_to_act"]]
        assert acting == ([] if GAME.to_act(table) is None else [GAME.to_act(table)])
        assert {seat["number"] - 1 for seat in shown["seats"] if seat["is_retired"]} == table.retired
        assert all(seat["points"] + seat["running"] <= shown["scale"] for seat in shown["seats"])
        assert bool(shown["at_war"]) == (max(table.scores) >= ruleset.setup.war_at)
        assert bool(shown["at_target"]) == (max(table.scores) >= ruleset.setup.target)
        check_turn(shown["turn"], table)


def check_turn(shown: Mapping[str, Any] | None, table: Table) -> None:
    """Check the picture of the running turn against the table; there is none once the game is over."""
    if shown is None:
        assert GAME.is_finished(table)
        return
    assert shown["aside"] + shown["left"] == 6
    assert shown["points"] == table.turn.points
    assert [die["face"] for die in shown["showing"]] == [str(face) for face in table.turn.showing]


def test_a_roll_shows_with_words_and_the_critters_picture() -> None:
    shown = GAME.display(play(turn(0, "22456C 22C", "33C")))["turn"]

    assert (shown["seat"], shown["points"], shown["aside"], shown["left"]) == (1, 8, 3, 3)
    assert [(die["face"], die["word"].fill(), die["art"]) for die in shown["showing"]] == [
        ("3", "three", ""),
        ("3", "three", ""),
        ("C", "critter", "rogue/faces/critter.svg"),
    ]


def test_rogues_alone_lead_to_rogue_out_and_a_set_ends_that() -> None:
    alone = GAME.display(play(turn(0, "23456C C", "C2345 C")))["turn"]
    mixed = GAME.display(play(turn(0, "23456C C", "22345 22")))["turn"]

    assert (alone["rogues"], alone["may_rogue_out"]) == (2, True)
    assert (mixed["rogues"], mixed["may_rogue_out"]) == (1, False)


def test_the_war_and_the_last_round_name_everybody_who_is_there() -> None:
    all_six, five = "CCCCCC CCCCCC", "CCCCC2 CCCCC"  # 1,500 points and 1,000
    before = GAME.display(play(turn(0, all_six), turn(1, all_six)))
    after = GAME.display(play(turn(0, all_six), turn(1, all_six), turn(0, five, "bank")))
    both = GAME.display(play(turn(0, five, "bank"), turn(1, five, "bank"), war_at=1000))

    assert (before["at_war"], before["at_target"]) == ([], [])
    assert (after["at_war"], after["at_target"], after["turn"]["seat"]) == ([1], [1], 2)
    assert (both["at_war"], both["at_target"]) == ([1, 2], [])


def test_the_winner_is_shown_when_the_game_is_over() -> None:
    shown = GAME.display(play(turn(0, "22456C 22", "retire")))

    assert (shown["winner"], shown["turn"]) == (2, None)
    assert [seat["has_won"] for seat in shown["seats"]] == [False, True]


def test_marks_beyond_the_bars_are_not_drawn() -> None:
    assert not GAME.display(play(target=60, war_at=10**6))["shows_war_at"]
    assert GAME.display(play())["shows_war_at"]


def _write_text(value: object) -> str:
    assert isinstance(value, Text)
    return value.template
