"""The consequences of actions in Go 500."""

from __future__ import annotations

from typing import Any

from games.go_500 import GAME
from tests.games.consequence_texts import get_last_consequences
from tests.games.go_500.table import (
    ALL_CIRCLED,
    Action,
    by_seat,
    lock,
    make_course_option,
    penalty,
    roll,
    score_segment,
    start,
)

STAND = {"type": "stand"}


def describe(*actions: Action, **options: Any) -> list[str]:
    return get_last_consequences(GAME.ruleset(options), 1, by_seat(0, *actions))


def above(total: int) -> list[Action]:
    """Return a first roll of 100 or more with two black dice left; its consequences depend on the limit."""
    rest = total - 75
    return [start(5, 0), roll(25, 25, 25, rest - 5, 5)]


def test_a_lock_says_what_it_brings() -> None:
    rolled = [start(3, 1), roll(10, 20, 25, green=20)]
    assert describe(*rolled, lock(25, 20), course=make_course_option(None)) == [
        "Locked so far: 45. Roll the other 2 dice again. (GO-14)"
    ]
    assert describe(*score_segment(20), course=make_course_option(None, None)) == [
        "All the dice are locked. (GO-14)",
        "Part 1 scores 20. (GO-14)",
    ]


def test_an_excess_says_how_many_rolls_it_brings() -> None:
    assert describe(*above(100), course=make_course_option(90)) == [
        "100 is 10 above the limit of 90: the segment ends without a penalty. (GO-13)"
    ]
    assert describe(*above(100), course=make_course_option(80)) == [
        "100 is 20 above the limit of 80: the segment ends. Roll the red die 1 time. (GO-13)"
    ]
    assert describe(*above(100), course=make_course_option(40)) == [
        "100 is 60 above the limit of 40: the segment ends. Roll the red die 4 times. (GO-13)"
    ]
    assert describe(*above(100), STAND, course=make_course_option(40)) == ["Roll the red die 4 times. (GO-13)"]
    assert describe(*above(100), STAND, penalty("crash"), STAND, course=make_course_option(40)) == [
        "Roll the red die a second time. (GO-11)"
    ]


def test_flags_say_how_the_segment_ends() -> None:
    def flagged(flag: str) -> list[str]:
        return describe(start(1, 0), roll(20, flag=flag), course=make_course_option(None, None))

    assert flagged("black") == ["The black flag ends the segment with 0. (GO-9)"]
    assert flagged("yellow") == ["The yellow flag ends the segment at 20, and the yellow die is rolled. (GO-10)"]
    assert flagged("red") == ["The red flag ends the segment at 20, and the red die is rolled. (GO-11)"]
    assert flagged("green") == []


def test_six_circled_dice_give_175_and_an_extra_turn() -> None:
    circled = [start(), roll(*ALL_CIRCLED, green=25)]
    assert describe(*circled) == ["All six dice are circled: 175 and an extra turn. (GO-7)"]
    assert describe(*circled, STAND) == ["175 points are scored, and the segment is raced once more. (GO-20)"]


def test_a_race_that_is_over_says_so() -> None:
    assert (
        describe(*score_segment(20), course=make_course_option(None))[-1]
        == "The race is over, with a total of 20. (GO-3)"
    )
    crossed = [start(1, 0), roll(20, flag="red"), STAND, penalty("x"), STAND, penalty("x"), STAND]
    assert describe(*crossed, course=make_course_option(None, None))[-1] == (
        "A circled X on a second roll ends the race: the remaining segments score 0. (GO-11)"
    )
