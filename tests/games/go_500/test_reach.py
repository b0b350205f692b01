"""The totals that a race can still have, against every possible continuation of short races."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.core.independent import Table
from games.core.standing import Reach
from games.go_500 import GAME
from games.go_500.state import Race, get_total
from tests.faults.scale import scaled
from tests.games.exhaustive import explore
from tests.games.go_500.table import (
    ALL_CIRCLED,
    RETIRE,
    STAND,
    lock,
    make_course_option,
    penalty,
    play,
    reroll_penalty,
    roll,
    score_segment,
    start,
)
from tests.games.sampling import walk

KIT: dict[str, Any] = {
    "black": [{"face": "3", "value": 3}, {"face": "14", "value": 14}],
    "green": [{"face": "flat", "value": 0}, {"face": "5", "value": 5}],
    "yellow": [{"face": "lights", "value": 0}, {"face": "-4", "value": -4}],
    "red": [{"face": "crash", "value": 0}, {"face": "x", "value": 0}, {"face": "-7", "value": -7}],
}
HARSH: dict[str, Any] = {**KIT, "yellow": [{"face": "-4", "value": -4}], "red": [{"face": "-90", "value": -90}]}
ENDING: dict[str, Any] = {**KIT, "red": [{"face": "x", "value": 0}]}
CIRCLED: dict[str, Any] = {
    **KIT,
    "black": [{"face": "3", "value": 3}, {"face": "14", "value": 14, "circled": True}],
    "green": [{"face": "flat", "value": 0}, {"face": "5", "value": 5, "circled": True}],
}
OPTIONS: tuple[dict[str, Any], ...] = (
    {"rerolls": 0, "kit": KIT, "course": make_course_option(12)},
    {"rerolls": 1, "kit": KIT, "course": make_course_option(12, None)},
    {"rerolls": 0, "kit": HARSH, "course": make_course_option(0, 12)},
    {"rerolls": 1, "kit": ENDING, "course": make_course_option(12, 3)},
    {"rerolls": 0, "kit": CIRCLED, "course": make_course_option(None)},
)
MOST_STATES = scaled(1000, 400)


def simplify(table: Table[Race]) -> Any:
    """Return what the rest of a race depends on."""
    race = table.seats[0]
    return race._replace(scores=(sum(race.scores), len(race.scores)))


def reached(*actions: dict[str, Any], **options: Any) -> tuple[int | None, int]:
    reach = GAME.reach(play(*actions, **options), 0)
    assert reach is not None
    assert reach.worst is not None
    return None if reach.best is None else reach.best.total, reach.worst.total


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_best_and_worst_match_every_possible_continuation(options: dict[str, Any]) -> None:
    """GO-2, GO-4 to GO-6, GO-8 to GO-14, GO-23 to GO-26: every total that the board can still show."""
    ruleset, tried = GAME.ruleset(options), set()
    for seed in range(scaled(30, 15)):
        for moment in reversed([moment for moment in walk(ruleset, 1, Random(seed)) if not moment.state.retired]):
            if simplify(moment.state) in tried:
                continue
            states = explore(ruleset, moment.state, MOST_STATES, simplify)
            if states is None:
                break  # and all moments before this one have even more
            tried.add(simplify(moment.state))
            totals = [get_total(state.seats[0]) for state in states]
            reach = GAME.reach(moment.state, 0)
            assert reach is not None
            assert reach.best is not None
            assert reach.worst is not None
            assert (reach.best.total, reach.worst.total) == (max(totals), min(totals)), moment
    assert len(tried) > 40


def test_there_is_no_best_total_while_six_circled_dice_are_possible() -> None:
    """GO-7, GO-20, GO-21: on the default dice, until the last segment is begun without all six or has locked one."""
    course = make_course_option(None)
    assert reached(course=course) == (None, -40)
    assert reached(start(5, 1), course=course)[0] is None
    assert reached(start(5, 0), course=course) == (150, -15)
    six = [start(5, 1), roll(30, 30, 30, 30, 30, green=20)]
    assert reached(*six, rerolls=1, course=course)[0] is None
    assert reached(*six, rerolls=0, course=course)[0] == 170 + 5
    assert reached(start(5, 1), roll(*ALL_CIRCLED, green=25), rerolls=0, course=course)[0] is None


def test_a_segment_that_is_left_opens_the_race_up_again() -> None:
    """GO-7: in the last segment but one nothing is certain yet."""
    assert reached(start(0, 0), course=make_course_option(None, None))[0] is None
    assert reached(*score_segment(), start(0, 0), course=make_course_option(None, None)) == (0, -40)


def test_a_total_far_above_the_limit_may_cost_sixteen_rolls() -> None:
    """GO-13: from 165 on, that is 120 above the limit of 45, each at -40."""
    assert reached(start(5, 1), course=make_course_option(45))[1] == 165 - 16 * 40
    assert reached(start(1, 0), course=make_course_option(45))[1] == 5 - 40


def test_a_penalty_roll_is_certain_once_no_reroll_is_left() -> None:
    """GO-2, GO-11, GO-12"""
    red = [start(1, 0), roll(30, flag="red"), STAND, penalty(-40)]
    course = make_course_option(None)
    assert reached(*red, rerolls=0, course=course) == (0, -10)
    assert reached(*red, rerolls=1, course=course) == (30, -10)
    assert reached(*red, reroll_penalty("crash"), rerolls=1, course=course) == (30, -10)


def test_the_present_total_counts_if_the_contest_is_closed_now() -> None:
    """GO-14: with 30 locked and no worse than 35 to come, the board still shows 0."""
    course = make_course_option(None)
    assert reached(start(2, 0), roll(30, 5, flag="black"), rerolls=0, course=course) == (0, 0)
    assert reached(start(1, 0), roll(30, flag="yellow"), rerolls=0, course=course) == (30, 0)


def test_a_race_that_is_over_has_its_total() -> None:
    """GO-25, TABLE-3"""
    over = [start(1, 0), roll(30, flag="red"), STAND, penalty("x"), STAND, penalty("x"), STAND]
    assert reached(*over, rerolls=0, course=make_course_option(None, None)) == (30, 30)
    retired = play(*score_segment(30), RETIRE, course=make_course_option(None, None))
    assert GAME.reach(retired, 0) == Reach(*[GAME.standing(retired, 0)] * 2)


def test_a_kit_with_too_many_totals_is_not_worked_out() -> None:
    """GO-16"""
    black = [{"face": f"{2**n}", "value": 2**n} for n in range(20)]
    state = play(kit={"black": black})
    assert GAME.reach(state, 0) is None


def test_a_lock_can_never_lead_outside_the_range() -> None:
    """GO-14: whatever is locked, the range only gets narrower."""
    rolled, course = [start(3, 0), roll(30, 5, 10)], make_course_option(None)
    assert reached(*rolled, rerolls=0, course=course) == (30 + 30 + 30, 5 + 5 + 5 - 40)
    assert reached(*rolled, lock(30), rerolls=0, course=course) == (30 + 30 + 30, 0)
    assert reached(*rolled, lock(5), rerolls=0, course=course) == (5 + 30 + 30, 5 + 5 + 5 - 40)
