"""What an outlook says at any moment of a random game holds at every later moment, whenever the contest is closed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any
from uuid import UUID

import pytest

from games.core.game import Game, Ruleset
from scorekeeper.standings.outlook import Outlook, ScoreRange, compute_outlooks
from tests.faults.scale import scaled
from tests.games.all_games import list_rulesets
from tests.games.sampling import walk

SEATS = 4
GAMES_PER_RULESET = scaled(40, 15)

RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game.reach(ruleset.game.start(ruleset, 1), 0)]


def list_outlooks(game: Game[Any], state: Any, prizes: int) -> dict[int, Outlook]:
    ranges = []
    for seat in range(SEATS):
        standing, reach = game.standing(state, seat), game.reach(state, seat)
        assert reach is not None
        if standing.status != "retired":
            best, worst = (None if limit is None else limit.total for limit in reach)
            ranges.append(ScoreRange(UUID(int=seat), standing.total, best, worst, standing.status == "done"))
    ruleset = state.ruleset
    contest = {"lowest_wins": ruleset.lowest_wins, "finished_first": ruleset.finished_first}
    return {seat.int: outlook for seat, outlook in compute_outlooks(ranges, prizes, **contest).items()}


def get_chance(game: Game[Any], state: Any, seat: int, prizes: int) -> dict[str, bool]:
    """Return which claims about a seat would be true if the contest were closed now."""
    order = game.standing(state, seat).order
    others = [game.standing(state, other).order for other in range(SEATS) if other != seat]
    above, not_below = sum(other > order for other in others), sum(other >= order for other in others)
    return {
        "": True,
        "first_safe": not_below == 0,
        "prize_safe": not_below < prizes,
        "first_gone": above >= 1,
        "prizes_gone": above >= prizes,
    }


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.game.key} {dict(ruleset.options)}")
@pytest.mark.slow
def test_what_an_outlook_says_holds_at_every_later_moment(ruleset: Ruleset) -> None:
    """TABLE-3: a seat that retires itself has left its place to the others."""
    game, said = ruleset.game, Counter[str]()
    for seed in range(GAMES_PER_RULESET):
        random = Random(seed)
        prizes = random.randint(1, 2)
        states = [moment.state for moment in walk(ruleset, SEATS, random)]
        claims: dict[tuple[int, str], int] = {}
        for position, state in enumerate(states):
            # A card that is recorded turn by turn is only counted between its turns, and then filled up.
            is_countable = game.recorded_by == "action" or game.is_finished(state)
            for (seat, chance), since in claims.items():
                if is_countable and game.standing(state, seat).status != "retired":
                    assert get_chance(game, state, seat, prizes)[chance], (seed, seat, chance, since, position)
            if not position % 5 or position == len(states) - 1:
                for seat, outlook in list_outlooks(game, state, prizes).items():
                    said[outlook.chance] += 1
                    if outlook.chance:
                        claims.setdefault((seat, outlook.chance), position)
    assert said.total() > said[""] > 0, "something was decided before the end"
