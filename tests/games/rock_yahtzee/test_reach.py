"""The reach of a card, checked against every possible continuation."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from games.core.actions import Action
from games.core.standing import Reach
from games.rock_yahtzee import GAME
from games.rock_yahtzee.actions import Forfeit, Paper, Result, Score
from games.rock_yahtzee.boxes import BOXES
from tests.faults.scale import scaled
from tests.games.rock_yahtzee.table import FORFEIT, RETIRE, paper, play, result, roll, score
from tests.games.sampling import walk

EVERY_TURN: tuple[Action, ...] = (
    Forfeit(0),
    *(Paper(0, box.word, points) for box in BOXES for points in range(201)),
)
EVERY_RESULT = tuple(Result(0, dice) for dice in combinations_with_replacement(range(1, 7), 5))
EVERY_SCORE = tuple(Score(0, box.word) for box in BOXES)
OPTIONS: tuple[dict[str, Any], ...] = (
    {"turns": 3},
    {"turns": 4, "upper_bonus": {"threshold": 30, "points": 35}},
    {"turns": 4, "upper_bonus": {"threshold": 12, "points": 100}, "yahtzee_points": [1, 1, 200]},
    {"turns": 15, "yahtzee_points": [100, 1]},
)


def reached(*actions: dict[str, Any], **options: Any) -> tuple[int, int]:
    reach = GAME.reach(play(*actions, **options), 0)
    assert reach is not None
    assert reach.best is not None
    assert reach.worst is not None
    return reach.best.total, reach.worst.total


def try_everything(state: Any, known: dict[Any, set[int]]) -> set[int]:
    """Return every total that the card can end with. A running turn is continued by its final dice.

    Args:
        known: the totals found before: cards with the same points in the same boxes continue alike.
    """
    card = state.seats[0]
    if GAME.is_finished(state):
        return {GAME.standing(state, 0).total}
    turns = sorted((turn.line or "", turn.points) for turn in card.turns)
    shape = (tuple(turns), tuple(sorted(card.dice)), card.is_final)
    if shape not in known:
        ways = EVERY_TURN if not card.dice else EVERY_SCORE if card.is_final else EVERY_RESULT
        after = (GAME.apply(state, action) for action in ways if not GAME.problems(state, action))
        known[shape] = set().union(*(try_everything(then, known) for then in after))
    return known[shape]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.slow
def test_best_and_worst_match_every_possible_continuation(options: dict[str, Any]) -> None:
    """ROCK-2, ROCK-8, ROCK-14, ROCK-16, ROCK-22, ROCK-26, ROCK-29, ROCK-31: with up to two turns left."""
    ruleset = GAME.ruleset(options)
    tried = 0
    known: dict[Any, set[int]] = {}
    for seed in range(scaled(2, 1)):
        for moment in walk(ruleset, 1, Random(seed)):
            left = ruleset.setup.turns - len(moment.state.seats[0].turns)
            if left <= 2 and not moment.state.retired:
                totals = try_everything(moment.state, known)
                reach = GAME.reach(moment.state, 0)
                assert reach is not None
                assert reach.best is not None
                assert reach.worst is not None
                assert (reach.best.total, reach.worst.total) == (max(totals), min(totals))
                tried += 1
    assert tried > scaled(5, 2)


def test_the_best_of_a_new_card_is_three_yahtzees_a_large_straight_and_thirty() -> None:
    """ROCK-2, ROCK-14: 50, 50, 100, 40, and 30 in any of five boxes."""
    assert reached() == (270, 0)


def test_the_bonus_counts_where_it_can_still_be_reached() -> None:
    """ROCK-8: sixes, fives, fours and threes make 90; 20 or more in twos and aces is out of reach."""
    done = [paper("sixes", 30), paper("fives", 25), paper("fours", 20)]
    assert reached(*done) == (75 + 15 + 35 + 50, 75)
    assert reached(*done, FORFEIT) == (75 + 15 + 35, 75)
    assert reached(paper("sixes", 30), paper("fives", 5), FORFEIT, FORFEIT) == (35 + 50, 35)


def test_a_zero_closes_the_yahtzee_box_for_good() -> None:
    """ROCK-22"""
    assert reached(paper("yahtzee", 50), paper("yahtzee", 0), turns=3) == (50 + 40, 50)


def test_recorded_dice_must_be_scored() -> None:
    """ROCK-26, ROCK-31: a turn that has begun cannot be missed, and final dice do not change."""
    full = [paper(box.word, 0) for box in BOXES if box.word != "chance"]
    assert reached(*full, roll(6, 6, 6, 6, 6), turns=13) == (30, 5)
    assert reached(*full, result(6, 6, 6, 6, 5), turns=13) == (29, 29)
    assert reached(result(6, 6, 6, 6, 6), turns=1) == (50, 0)
    assert reached(result(1, 2, 3, 4, 6), turns=1) == (30, 0)


def test_a_finished_card_can_reach_only_its_total() -> None:
    """ROCK-2, TABLE-3"""
    assert reached(result(6, 6, 6, 6, 6), score("sixes"), turns=1) == (30, 30)
    assert GAME.reach(play(paper("chance", 20), RETIRE), 0) == Reach(
        *[GAME.standing(play(paper("chance", 20), RETIRE), 0)] * 2
    )
