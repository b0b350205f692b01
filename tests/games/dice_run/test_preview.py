"""What the options lead to, for the form in which they are chosen."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.replay import replay
from games.dice_run import GAME


def preview(**options: Any) -> dict[str, Any]:
    shown = GAME.preview(GAME.ruleset(options).setup)
    assert shown is not None
    return dict(shown)


def test_the_totals_are_those_of_the_turns_that_count() -> None:
    """DICE-7"""
    usual = preview()
    assert usual["throw"] == {"lowest": 5, "average": 17.5, "highest": 30}
    assert usual["total"] == {"lowest": 25, "average": 87.5, "highest": 150}
    assert preview(counts=3)["total"] == {"lowest": 15, "average": 52.5, "highest": 90}
    assert preview(dice=3, faces=20)["throw"] == {"lowest": 3, "average": 31.5, "highest": 60}


@pytest.mark.parametrize(("target", "is_out"), [(24, True), (25, False), (88, False), (150, False), (151, True)])
def test_a_target_that_no_sheet_can_hit_is_named(target: int, is_out: bool) -> None:
    """DICE-10"""
    assert preview(goal="target", target=target)["is_target_out_of_reach"] is is_out
    assert preview()["is_target_out_of_reach"] is False


def test_the_presets_are_possible() -> None:
    """DICE-20"""
    setups = {preset.key: GAME.ruleset(dict(preset.options)).setup for preset in GAME.presets}
    assert setups["five_dice"] == GAME.ruleset().setup
    best_four = setups["best_four"]
    assert (best_four.turns, best_four.dice, best_four.counts, best_four.goal) == (5, 3, 4, "high")
    assert setups["lowest"] == GAME.ruleset({"goal": "low"}).setup
    assert (setups["closest"].goal, setups["closest"].target) == ("target", 100)


def test_the_example_with_usual_options_is_the_worked_sheet() -> None:
    """DICE-24"""
    worked: dict[int, dict[str, Any]] = {
        70: {},
        58: {"counts": 3},
        100: {"goal": "low"},
        48: {"goal": "low", "counts": 3},
    }
    for total, options in worked.items():
        ruleset = GAME.ruleset(options)
        state = replay(ruleset, 1, GAME.example(ruleset.setup)).state
        assert GAME.sheet(state).totals == (total,)
