"""What every game guarantees that implements `reach`."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.game import Game, Ruleset
from tests.faults.scale import scaled
from tests.games.all_games import GAMES, list_rulesets
from tests.games.sampling import walk

REACH_RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game.reach(ruleset.game.start(ruleset, 2), 0)]
every_reach_ruleset = pytest.mark.parametrize(
    "ruleset", REACH_RULESETS, ids=lambda ruleset: f"{ruleset.game.key} {dict(ruleset.options)}"
)


def test_games_with_limits_support_reach_and_the_toy_does_not() -> None:
    keys = {ruleset.game.key for ruleset in REACH_RULESETS}
    assert keys == {"dice-run", "poker-run", "rock-yahtzee", "go-500", "grand-prix"}
    assert "pig-race" in GAMES


@every_reach_ruleset
@settings(max_examples=scaled(25, 10), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_the_reach_only_ever_narrows_and_contains_the_end(ruleset: Ruleset, seed: int, seats: int) -> None:
    """TABLE-2; a seat that retires (TABLE-3) may end outside its reach, so it is checked only until then."""
    game = ruleset.game
    moments = list(walk(ruleset, seats, Random(seed)))
    end = moments[-1].state
    for seat in range(seats):
        limits = []
        for moment in moments:
            standing = game.standing(moment.state, seat)
            if standing.status != "retired":
                limits.append(get_limits(game, moment.state, seat))
                # A game at a table may stop at any moment, because the contest is closed.
                if game.recorded_by == "action" and not ruleset.finished_first:
                    assert limits[-1][0] <= standing.order <= limits[-1][1]
        for before, after in pairwise(limits):
            assert before[0] <= after[0] <= after[1] <= before[1]
        final = game.standing(end, seat)
        assert get_limits(game, end, seat) == (final.order, final.order)
        if final.status != "retired":
            assert all(worst <= final.order <= best for worst, best in limits)


def get_limits(game: Game[Any], state: Any, seat: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the orders of the worst and the best standing; infinite where there is no limit."""
    reach = game.reach(state, seat)
    assert reach is not None
    worst = (-math.inf,) if reach.worst is None else reach.worst.order
    return worst, (math.inf,) if reach.best is None else reach.best.order


@every_reach_ruleset
@settings(max_examples=scaled(25, 10), deadline=None)
@given(st.integers(0, 2**32))
def test_totals_have_the_order_of_their_keys(ruleset: Ruleset, seed: int) -> None:
    """A player who reaches the total that the pages ask for needs nothing else."""
    game = ruleset.game
    reaches = [game.reach(moment.state, 0) for moment in walk(ruleset, 1, Random(seed))]
    limits = [standing for reach in reaches if reach for standing in reach if standing is not None]
    standings = [standing for standing in limits if standing.status != "retired"]
    sign = -1 if ruleset.lowest_wins else 1
    in_order = sorted(standings, key=lambda standing: standing.order)
    assert [sign * standing.total for standing in in_order] == sorted(sign * standing.total for standing in standings)
    assert len({standing.order for standing in standings}) == len({standing.total for standing in standings})
