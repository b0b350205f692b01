"""What every game guarantees that implements `reach`."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.game import Ruleset
from tests.games.all_games import GAMES, list_rulesets
from tests.games.sampling import walk

REACH_RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game.reach(ruleset.game.start(ruleset, 2), 0)]
every_reach_ruleset = pytest.mark.parametrize(
    "ruleset", REACH_RULESETS, ids=lambda ruleset: f"{ruleset.game.key} {dict(ruleset.options)}"
)


def test_the_rides_game_supports_reach_and_the_toy_does_not() -> None:
    assert {ruleset.game.key for ruleset in REACH_RULESETS} == {"rock-yahtzee"}
    assert "pig-race" in GAMES


@every_reach_ruleset
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_the_reach_only_ever_narrows_and_contains_the_end(ruleset: Ruleset, seed: int, seats: int) -> None:
    """TABLE-2; a seat that retires (TABLE-3) may end outside its reach, so it is checked only until then."""
    game = ruleset.game
    moments = list(walk(ruleset, seats, Random(seed)))
    end = moments[-1].state
    for seat in range(seats):
        reaches = []
        for moment in moments:
            reach = game.reach(moment.state, seat)
            assert reach is not None
            if game.standing(moment.state, seat).status != "retired":
                reaches.append(reach)
        for before, after in pairwise(reaches):
            assert after.best.order <= before.best.order
            assert after.worst.order >= before.worst.order
        final = game.standing(end, seat)
        at_the_end = game.reach(end, seat)
        assert at_the_end is not None
        assert at_the_end.best.order == at_the_end.worst.order == final.order
        if final.status != "retired":
            assert all(reach.worst.order <= final.order <= reach.best.order for reach in reaches)


@every_reach_ruleset
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_totals_have_the_order_of_their_keys(ruleset: Ruleset, seed: int) -> None:
    """A player who reaches the total that the pages ask for needs nothing else."""
    game = ruleset.game
    reaches = [game.reach(moment.state, 0) for moment in walk(ruleset, 1, Random(seed))]
    standings = [standing for reach in reaches if reach for standing in reach if standing.status != "retired"]
    sign = -1 if game.lowest_wins else 1
    in_order = sorted(standings, key=lambda standing: standing.order)
    assert [sign * standing.total for standing in in_order] == sorted(sign * standing.total for standing in standings)
    assert len({standing.order for standing in standings}) == len({standing.total for standing in standings})
