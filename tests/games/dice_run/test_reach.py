"""The reach of a sheet, checked against every possible continuation."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.dice_run import GAME
from games.dice_run.actions import Forfeit, Stop, Throw
from tests.games.dice_run.table import TARGET, papers, play, throw
from tests.games.sampling import walk

OPTIONS: tuple[dict[str, Any], ...] = (
    {"turns": 3, "dice": 1, "faces": 4},
    {"turns": 3, "dice": 1, "faces": 4, "counts": 2, "throws": 2},
    {"turns": 3, "dice": 1, "faces": 4, "counts": 2, "throws": 2, "throw_counts": "best"},
    {"turns": 3, "dice": 1, "faces": 4, "goal": "low", "throws": 2},
    {"turns": 4, "dice": 1, "faces": 4, "goal": "low", "counts": 2, "throws": 2, "throw_counts": "best"},
)


def list_ends(ruleset: Ruleset, state: Any) -> set[int]:
    """Return every total that the sheet can end with; a sum alone is the sum of some throw."""
    if GAME.is_finished(state):
        return {GAME.standing(state, 0).total}
    setup = ruleset.setup
    throws = [Throw(0, dice) for dice in combinations_with_replacement(range(1, setup.faces + 1), setup.dice)]
    ways = [way for way in (*throws, Stop(0), Forfeit(0)) if not GAME.problems(state, way)]
    return set().union(*(list_ends(ruleset, GAME.apply(state, way)) for way in ways))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_best_and_worst_match_every_possible_continuation(options: dict[str, Any]) -> None:
    """DICE-7, DICE-11, DICE-22"""
    ruleset = GAME.ruleset(options)
    for seed in range(4):
        for moment in walk(ruleset, 1, Random(seed)):
            if len(moment.state.seats[0].turns) > 0 and GAME.standing(moment.state, 0).status != "retired":
                reach, ends = GAME.reach(moment.state, 0), list_ends(ruleset, moment.state)
                assert reach is not None
                assert reach.best is not None
                assert reach.worst is not None
                found = sorted((reach.best.total, reach.worst.total))
                assert found == [min(ends), max(ends)]
                assert reach.best.order >= reach.worst.order


def test_the_reach_of_the_usual_sheet() -> None:
    """DICE-7: 20 in a turn that is running is no more than a throw to better."""
    reach = GAME.reach(play(*papers(20, 10), throw(6, 6, 6, 1, 1), throws=2), 0)
    assert reach is not None
    assert [limit and limit.total for limit in reach] == [30 + 90, 30 + 5]


def test_nothing_is_said_about_a_target_where_totals_alone_do_not_rank() -> None:
    """DICE-12"""
    assert GAME.reach(play(*papers(20), **TARGET), 0) is None
