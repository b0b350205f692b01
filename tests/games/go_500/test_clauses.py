"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from typing import Any

import pytest

from games.go_500 import GAME
from tests.games.go_500.table import (
    ALL_CIRCLED,
    RETIRE,
    STAND,
    Action,
    by_seat,
    get_cells,
    get_malformed_field,
    get_total_of,
    list_broken_rules,
    list_offered_types,
    list_problems,
    list_scores,
    lock,
    make_course_option,
    penalty,
    play,
    reroll,
    reroll_penalty,
    roll,
    roll_penalties_together,
    score_segment,
    start,
)

YELLOW = [start(2, 0), roll(20, 30, flag="yellow"), STAND]
RED = [start(2, 0), roll(20, 30, flag="red"), STAND]
FAST = [start(5, 0), roll(30, 30, 30, 30, 25)]  # 145: above a limit of 25 by 120
CRASHED = [*FAST, STAND]
ONE = make_course_option(None)
OPEN = make_course_option(None, None, None)
OVER_120 = make_course_option(25, None)


# The race


def test_each_segment_has_its_own_limit_in_each_weather() -> None:
    """GO-1"""
    first = [start(5, 0), roll(30, 5, 5, 5, 5), lock(30)]  # a straight without a limit
    to_turn_1 = [*first, roll(5, 5, 5, 5), lock(5, 5, 5, 5)]
    eighty = [start(5, 0), roll(20, 20, 20, 10, 10)]
    assert list_offered_types(*to_turn_1, *eighty) == ["lock", "reroll"]  # 80 under 90
    assert list_offered_types(*to_turn_1, *eighty, template="2") == ["stand", "reroll"]  # 80 above 70
    limits = [{"name": "A", "limits": {"1": None, "2": 0}}]
    assert list_offered_types(*eighty, course={"name": "X", "segments": limits}) == ["lock", "reroll"]
    assert list_offered_types(*eighty, course={"name": "X", "segments": limits}, template="2") == ["stand", "reroll"]


def test_one_limit_holds_in_both_weathers() -> None:
    """GO-1"""
    for template in ("1", "2"):
        assert list_offered_types(start(1, 0), roll(10), course=make_course_option(5), template=template) == [
            "stand",
            "reroll",
        ]


def test_there_are_two_rerolls_for_the_whole_race_unless_agreed_otherwise() -> None:
    """GO-2"""
    two = [start(1, 0), roll(5), reroll(10), lock(10), start(1, 0), roll(5), reroll(10)]
    assert get_cells(*two)["rerolls"].points == 0
    assert list_offered_types(*two) == ["lock"]
    assert [(p.rule, p.code) for p in list_problems(*two, reroll(15))] == [("GO-2", "no_reroll_left")]
    assert list_broken_rules(start(1, 0), roll(5), reroll(5), rerolls=0) == ["GO-2"]
    assert list_broken_rules(start(0, 0), roll(), *[reroll()] * 21, rerolls=20) == ["GO-2"]
    assert list_broken_rules(*YELLOW, penalty(-5), reroll_penalty(-10), rerolls=0) == ["GO-2"]


def test_all_seats_race_the_segments_in_order_and_the_highest_total_wins() -> None:
    """GO-3, TABLE-1"""
    state = play(
        *by_seat(1, *score_segment(20)), *by_seat(0, *score_segment(30)), *by_seat(1, *score_segment(25)),
        *by_seat(0, *score_segment(10)), seats=2, course=make_course_option(None, None),
    )  # fmt: skip
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [40, 45]
    assert GAME.winners(state) == (1,)
    assert GAME.to_act(state) is None
    assert list_scores(*score_segment(20), *score_segment(25), course=OPEN) == [20, 25, None]


def test_tied_players_stay_tied() -> None:
    """GO-3"""
    state = play(
        *by_seat(0, *score_segment(20)),
        *by_seat(1, *score_segment(20)),
        *by_seat(2, *score_segment(5)),
        seats=3,
        course=ONE,
    )
    assert GAME.ranking(state).groups == ((0, 1), (2,))
    assert GAME.winners(state) == (0, 1)
    assert GAME.legal_actions(state, None) == ()


# A segment


def test_a_segment_begins_with_0_to_5_black_dice_and_0_or_1_green() -> None:
    """GO-4"""
    for black in range(6):
        for green in (0, 1):
            play(start(black, green))
    assert [(p.rule, p.field) for p in list_problems(start(6, 0))] == [("GO-4", "black")]
    assert [(p.rule, p.field) for p in list_problems(start(-1, 2))] == [("GO-4", "black"), ("GO-4", "green")]
    assert list_broken_rules(start(5, -1)) == ["GO-4"]
    assert list_broken_rules(start(10**400, 10**400)) == ["GO-4", "GO-4"]


@pytest.mark.parametrize(
    "before",
    [
        [start()],
        [start(1, 0), roll(5)],
        [start(1, 0), roll(5, flag="black")],
        YELLOW,
        [*YELLOW, penalty(-5)],
        CRASHED,
    ],
)
def test_dice_are_chosen_at_the_start_of_a_segment_alone(before: list[Action]) -> None:
    """GO-4"""
    (problem,) = list_problems(*before, start(), course=OVER_120 if before is CRASHED else OPEN)
    assert (problem.rule, problem.code) == ("GO-4", "dice_chosen")


@pytest.mark.parametrize("action", [roll(5, 5, 5, 5, 5, green=5), STAND, penalty(-5), roll_penalties_together(-10)])
def test_nothing_is_rolled_or_accepted_before_dice_are_chosen(action: Action) -> None:
    """GO-4"""
    assert [(p.rule, p.code) for p in list_problems(action)] == [("GO-4", "dice_due")]
    assert [(p.rule, p.code) for p in list_problems(*score_segment(5), action)] == [("GO-4", "dice_due")]


def test_dice_not_chosen_are_out_for_the_segment_and_back_in_the_next() -> None:
    """GO-4"""
    for flag in ("green", "yellow"):
        (problem,) = list_problems(start(2, 0), roll(5, 5, green=10, flag=flag))
        assert (problem.rule, problem.field) == ("GO-4", "green")
    assert list_broken_rules(start(2, 0), roll(5, 5), lock(5), roll(5, green=10)) == ["GO-4"]
    assert list_broken_rules(start(2, 0), roll(5, 5), lock(5, green=True)) == ["GO-4"]
    play(*score_segment(5), start(5, 1), roll(5, 5, 5, 5, 5, green=5))


def test_all_dice_in_play_are_rolled() -> None:
    """GO-5"""
    (problem,) = list_problems(start(3, 1), roll(5, 5, green=5))
    assert (problem.rule, problem.field, problem.code) == ("GO-5", "black", "wrong_number_of_dice")
    assert problem.message() == "Roll all the black dice in play: 3. You entered 2 dice."
    assert list_broken_rules(start(3, 1), roll(5, 5, 5, 5, green=5)) == ["GO-5"]
    assert list_broken_rules(start(0, 1), roll(5, green=5)) == ["GO-5"]
    assert [(p.rule, p.field) for p in list_problems(start(3, 1), roll(5, 5))] == [("GO-5", "black"), ("GO-5", "green")]
    play(start(0, 0), {"type": "roll", "black": [], "flag": "green"})


def test_a_segment_scores_the_dice_rolled_and_the_dice_locked() -> None:
    """GO-5"""
    entries = [start(3, 1), roll(5, 10, 30, green=20), lock(30, green=True)]
    assert get_cells(*entries)["stands_at"].points == 50
    assert get_cells(*entries, roll(25, 15))["stands_at"].points == 90
    assert get_total_of(*entries, roll(25, 15), lock(25, 15)) == 90


@pytest.mark.parametrize("action", [STAND, penalty(-5), lock(5), reroll(5, 5)])
def test_no_dice_show_before_they_are_rolled(action: Action) -> None:
    """GO-5, GO-6, GO-14"""
    own = {"lock": "GO-14", "reroll": "GO-6"}
    assert list_broken_rules(start(2, 0), action) == [own.get(action["type"], "GO-5")]
    assert list_broken_rules(start(3, 0), roll(5, 5, 5), lock(5), action) == [own.get(action["type"], "GO-5")]


def test_a_reroll_rolls_everything_just_rolled_again() -> None:
    """GO-6"""
    entries = [start(3, 1), roll(30, 5, 5, green=5, flag="red")]
    state = play(*entries, reroll(10, 15, 20, green=25, flag="green"))
    assert state.seats[0].moment.total == 70
    assert list_offered_types(*entries, reroll(10, 15, 20, green=25)) == ["lock", "lock", "reroll"]
    later = [*entries, reroll(10, 15, 20, green=25), lock(20)]
    assert get_cells(*later, roll(5, 5, green=5), reroll(30, 30, green=20))["stands_at"].points == 100
    assert [(p.rule, p.field) for p in list_problems(*entries, reroll(10, 15, green=5))] == [("GO-6", "black")]
    assert [(p.rule, p.field) for p in list_problems(*entries, reroll(10, 15, 20))] == [("GO-6", "green")]
    assert [(p.rule, p.field) for p in list_problems(*later, roll(5, 5, green=5), reroll(5, 5, 5, green=5))] == [
        ("GO-6", "black")
    ]


def test_the_flag_is_rolled_again_too() -> None:
    """GO-6"""
    entries = [start(1, 0), roll(30)]
    assert [(p.rule, p.field) for p in list_problems(*entries, {"type": "reroll", "black": [5]})] == [("GO-6", "flag")]
    assert [(p.rule, p.field) for p in list_problems(*entries, {"type": "reroll"})] == [
        ("GO-6", "black"),
        ("GO-6", "flag"),
    ]
    assert [(p.rule, p.field) for p in list_problems(*entries, reroll(5) | {"face": -10})] == [("GO-6", "face")]
    assert [p.field for p in list_problems(*entries, reroll_penalty(-10))] == ["face", "black", "flag"]


@pytest.mark.parametrize(
    "before",
    [
        [],
        [start(1, 0)],
        [start(2, 0), roll(5, 5), lock(5)],
        [start(1, 0), roll(5), lock(5)],
        YELLOW,
        [*RED, penalty("crash"), STAND],
        [*YELLOW, penalty(-5), STAND],
    ],
)
def test_a_reroll_is_spent_straight_after_its_roll(before: list[Action]) -> None:
    """GO-6"""
    assert list_broken_rules(*before, reroll(5, 5), course=OPEN) == ["GO-6"]
    assert list_broken_rules(*before, reroll_penalty(-10), course=OPEN) == ["GO-6"]
    assert list_broken_rules(*before, reroll(5, 5), course=OPEN, rerolls=0) == ["GO-2", "GO-6"]


@pytest.mark.parametrize("flag", ["green", "yellow", "red", "black"])
def test_six_circled_dice_at_once_give_175_and_an_extra_turn_whatever_the_flag(flag: str) -> None:
    """GO-7"""
    entries = [start(), roll(*ALL_CIRCLED, green=25, flag=flag)]
    assert list_offered_types(*entries, course=make_course_option(60)) == ["stand", "reroll"]
    state = play(*entries, STAND, course=make_course_option(60))
    assert GAME.standing(state, 0).total == 175
    assert not GAME.is_finished(state)
    assert list_offered_types(*entries, STAND, course=make_course_option(60)) == ["start"]
    for action in (roll(*ALL_CIRCLED, green=25), penalty(-10)):
        assert [(p.rule, p.code) for p in list_problems(*entries, action)] == [("GO-7", "all_circled")]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (start(5, 1), roll(30, 30, 30, 30, 25, green=25)),
        (start(5, 1), roll(*ALL_CIRCLED, green=20)),
        (start(5, 1), roll(*ALL_CIRCLED, green="flat")),
        (start(5, 0), roll(*ALL_CIRCLED)),
        (start(4, 1), roll(30, 30, 30, 30, green=25)),
    ],
)
def test_it_takes_all_six_and_all_circled(choice: Action, shown: Action) -> None:
    """GO-7"""
    assert list_offered_types(choice, shown) == ["lock", *["lock"] * (shown.get("green") in (20, 25)), "reroll"]
    assert list_offered_types(choice, shown | {"flag": "black"}, STAND) == ["start"]
    assert get_total_of(choice, shown | {"flag": "black"}, STAND) == 0


def test_a_flat_tyre_counts_0_and_takes_the_green_die_out() -> None:
    """GO-8"""
    entries = [start(2, 1), roll(20, 30, green="flat")]
    assert get_cells(*entries)["stands_at"].points == 50
    (problem,) = list_problems(*entries, lock(30), roll(5, green=5))
    assert (problem.rule, problem.field) == ("GO-8", "green")
    assert list_broken_rules(*entries, lock(30), roll(10), lock(10, green=True)) == ["GO-8"]
    assert get_total_of(*entries, lock(30), roll(10), lock(10)) == 40
    assert list_broken_rules(*entries, lock(30), roll(10), lock(10), start(0, 1), roll()) == ["GO-5"]  # it is back


def test_a_flat_tyre_is_no_die_that_was_locked() -> None:
    """GO-8"""
    entries = [start(2, 1), roll(20, 30, green="flat")]
    assert list_broken_rules(*entries, lock(green=True)) == ["GO-8"]
    assert list_broken_rules(*entries, lock(20, green=True)) == ["GO-8"]
    assert list_broken_rules(*entries, lock()) == ["GO-14"]


def test_the_black_flag_ends_the_segment_with_0() -> None:
    """GO-9"""
    entries = [start(3, 0), roll(30, 20, 10), lock(30), roll(25, 25, flag="black")]
    assert list_offered_types(*entries) == ["stand", "reroll"]
    assert list_scores(*entries, STAND, course=OPEN) == [0, None, None]
    assert list_offered_types(*entries, STAND) == ["start"]


@pytest.mark.parametrize(("face", "points"), [(-5, 45), (-25, 25), ("lights", 50)])
def test_the_yellow_flag_ends_the_segment_and_adds_the_yellow_die(face: int | str, points: int) -> None:
    """GO-10"""
    assert list_offered_types(*YELLOW[:2]) == ["stand", "reroll"]
    assert list_offered_types(*YELLOW) == ["penalty"]
    assert list_offered_types(*YELLOW, penalty(face)) == ["stand", "reroll"]
    assert get_total_of(*YELLOW, penalty(face)) == 0
    assert get_total_of(*YELLOW, penalty(face), STAND) == points
    assert list_offered_types(*YELLOW, penalty(face), STAND) == ["start"]


def test_dice_locked_before_count_under_a_yellow_or_a_red_flag_too() -> None:
    """GO-10, GO-11"""
    entries = [start(2, 0), roll(30, 5), lock(30)]
    assert get_total_of(*entries, roll(20, flag="yellow"), STAND, penalty(-5), STAND) == 45
    assert get_total_of(*entries, roll(20, flag="red"), STAND, penalty(-40), STAND) == 10


def test_the_red_flag_ends_the_segment_and_adds_the_red_die() -> None:
    """GO-11"""
    assert list_offered_types(*RED) == ["penalty"]
    assert get_total_of(*RED, penalty(-40), STAND) == 10
    assert list_offered_types(*RED, penalty(-40), STAND) == ["start"]


@pytest.mark.parametrize("first", ["crash", "x"])
@pytest.mark.parametrize(("second", "points", "is_over"), [(-30, 20, False), ("crash", 50, False), ("x", 50, True)])
def test_a_crash_or_a_circled_x_calls_for_a_second_roll(
    first: str, second: int | str, points: int, is_over: bool
) -> None:
    """GO-11"""
    once = [*RED, penalty(first), STAND]
    assert list_offered_types(*once) == ["penalty"]
    state = play(*once, penalty(second), STAND)
    assert GAME.standing(state, 0).total == points
    assert GAME.is_finished(state) is is_over


@pytest.mark.parametrize(
    ("before", "rule"),
    [(YELLOW[:2], "GO-10"), (RED[:2], "GO-11"), ([start(1, 0), roll(5, flag="black")], "GO-9"), (FAST, "GO-13")],
)
@pytest.mark.parametrize("action", [lock(30), roll(5, 5), penalty(-10), roll_penalties_together(-10)])
def test_a_roll_that_ends_the_segment_can_only_be_accepted_or_rerolled(
    before: list[Action], rule: str, action: Action
) -> None:
    """GO-9, GO-10, GO-11, GO-13"""
    assert list_broken_rules(*before, action, course=OVER_120 if rule == "GO-13" else OPEN) == [rule]


@pytest.mark.parametrize(("due", "rule"), [(YELLOW, "GO-10"), (RED, "GO-11"), (CRASHED, "GO-13")])
def test_a_penalty_that_is_due_is_rolled_before_anything_else(due: list[Action], rule: str) -> None:
    """GO-10, GO-11, GO-13"""
    options: dict[str, Any] = {"course": OVER_120 if due is CRASHED else OPEN}
    assert [(p.rule, p.code) for p in list_problems(*due, STAND, **options)] == [(rule, "penalty_due")]
    assert list_broken_rules(*due, roll(5, 5), **options) == [rule]
    assert list_broken_rules(*due, lock(30), **options) == ["GO-14"]
    face = -20
    assert [(p.rule, p.code) for p in list_problems(*due, penalty(face), penalty(face), **options)] == [
        (rule, "accept_due")
    ]
    assert list_broken_rules(*due, penalty(face), roll_penalties_together(face), **options) == [rule]
    assert list_broken_rules(*due, penalty(face), roll(5, 5), **options) == [rule]


def test_a_face_of_the_other_penalty_die_is_rejected_and_an_unknown_face_is_malformed() -> None:
    """GO-10, GO-11, GO-13"""
    assert [(p.rule, p.field) for p in list_problems(*YELLOW, penalty("crash"))] == [("GO-10", "face")]
    assert [(p.rule, p.field) for p in list_problems(*YELLOW, roll_penalties_together(-40))] == [("GO-10", "faces")]
    assert [(p.rule, p.field) for p in list_problems(*RED, penalty("lights"))] == [("GO-11", "face")]
    assert [(p.rule, p.field) for p in list_problems(*CRASHED, roll_penalties_together(-10, -5), course=OVER_120)] == [
        ("GO-13", "faces")
    ]
    (problem,) = list_problems(*RED, penalty(-5))
    assert (
        problem.message()
        == "The red die is rolled next, and it has no face “-5”. Its faces are crash, x, -10, -20, -30, -40."
    )
    assert get_malformed_field(*YELLOW, penalty("flat")) == "actions[3].face"
    assert get_malformed_field(*RED, roll_penalties_together(-10, 30)) == "actions[3].faces[1]"


def test_rerolls_may_be_spent_on_the_yellow_and_the_red_die() -> None:
    """GO-12"""
    assert get_total_of(*YELLOW, penalty(-25), reroll_penalty("lights"), STAND) == 50
    assert get_total_of(*RED, penalty("x"), reroll_penalty(-10), reroll_penalty(-20), STAND) == 30
    once = [*CRASHED, penalty(-10), reroll_penalty(-20), STAND]
    assert get_cells(*once, course=OVER_120)["stands_at"].points == 125
    assert get_cells(*once, course=OVER_120)["rerolls"].points == 1
    (problem,) = list_problems(*RED, penalty(-10), reroll_penalty("lights"))
    assert (problem.rule, problem.field) == ("GO-11", "face")


def test_with_the_penalty_die_nothing_else_is_rolled_again() -> None:
    """GO-12"""
    entries = [*YELLOW, penalty(-25)]
    assert [(p.rule, p.field) for p in list_problems(*entries, {"type": "reroll"})] == [("GO-12", "face")]
    assert [(p.rule, p.field) for p in list_problems(*entries, reroll_penalty(-5) | {"flag": "red"})] == [
        ("GO-12", "flag")
    ]
    assert [p.field for p in list_problems(*entries, reroll(5, 5, green=5))] == ["black", "green", "flag", "face"]
    assert set(list_broken_rules(*entries, reroll(5, 5, green=5))) == {"GO-12"}


@pytest.mark.parametrize(
    ("excess", "rolls"),
    [
        (1, 0), (19, 0), (20, 1), (35, 1), (36, 1), (39, 1), (40, 2), (55, 2), (59, 2), (60, 4), (75, 4), (79, 4),
        (80, 7), (95, 7), (99, 7), (100, 11), (115, 11), (119, 11), (120, 16), (145, 16),
    ],
)  # fmt: skip
def test_above_the_limit_the_segment_is_over_and_the_red_die_is_rolled(excess: int, rolls: int) -> None:
    """GO-13, GO-18"""
    over = make_course_option(145 - excess, None)
    assert list_offered_types(*FAST, course=over) == ["stand", "reroll"]
    assert list_scores(*FAST, STAND, *[penalty(-10), STAND] * rolls, course=over) == [145 - 10 * rolls, None]


def test_a_total_of_exactly_the_limit_is_within_it() -> None:
    """GO-13"""
    assert list_offered_types(*FAST, course=make_course_option(145)) == ["lock", "reroll"]
    assert list_offered_types(start(0, 0), roll(), course=make_course_option(0)) == ["stand", "reroll"]
    assert get_total_of(start(1, 0), roll(5), STAND, course=make_course_option(0)) == 5


def test_each_red_roll_above_the_limit_may_call_for_a_second() -> None:
    """GO-13, GO-11"""
    twice = [*FAST, STAND, penalty("crash"), STAND, penalty(-10), STAND]
    options: dict[str, Any] = {"course": make_course_option(100, None)}  # 45 above: twice
    assert list_offered_types(*twice, **options) == ["penalty"]
    assert list_scores(*twice, penalty("x"), STAND, penalty("crash"), STAND, **options) == [135, None]
    assert get_total_of(*twice, penalty("x"), STAND, penalty("x"), STAND, **options) == 135


def test_under_a_green_flag_at_least_one_die_is_locked_and_the_others_are_rolled_again() -> None:
    """GO-14"""
    entries = [start(3, 1), roll(30, 30, 5, green=20)]
    assert list_offered_types(*entries) == ["lock", "lock", "reroll"]
    assert [(p.rule, p.code) for p in list_problems(*entries, lock())] == [("GO-14", "nothing_locked")]
    assert list_broken_rules(*entries, lock() | {"black": [], "green": False}) == ["GO-14"]
    assert [(p.rule, p.code) for p in list_problems(*entries, STAND)] == [("GO-14", "lock_due")]
    assert list_broken_rules(*entries, roll(5, 5, 5, green=5)) == ["GO-14"]
    assert list_broken_rules(*entries, penalty(-10)) == ["GO-14"]
    assert list_offered_types(*entries, lock(30)) == ["roll"]
    play(*entries, lock(30), roll(5, 5, green=5))
    play(*entries, lock(30, 30, 5), roll(green=5))
    play(*entries, lock(green=True), roll(5, 5, 5))
    play(*entries, lock(5) | {"green": False}, roll(5, 5, green=5))
    assert [(p.rule, p.field) for p in list_problems(*entries, lock(green=True), roll(5, 5, 5, green=5))] == [
        ("GO-14", "green")
    ]
    assert list_broken_rules(*entries, lock(green=True), roll(5, 5, 5), lock(green=True)) == ["GO-14"]


def test_only_dice_that_are_showing_are_locked_each_once() -> None:
    """GO-14"""
    entries = [start(3, 1), roll(30, 30, 5, green=20)]
    (problem,) = list_problems(*entries, lock(30, 30, 30, 25))
    assert (problem.rule, problem.field, problem.code) == ("GO-14", "black", "not_showing")
    assert problem.message() == "These dice are not showing: 30, 25. Showing: 30, 30, 5."
    assert list_broken_rules(*entries, lock(20)) == ["GO-14"]  # that is the green die
    (problem,) = list_problems(start(0, 1), roll(green=20), lock(20))
    assert problem.message() == "No black die was rolled. Leave “black” out."
    assert [p.code for p in list_problems(start(3, 0), roll(30, 30, 5), lock(25, green=True))] == [
        "not_showing",
        "no_green_die",
    ]


def test_once_all_dice_are_locked_the_segment_is_complete() -> None:
    """GO-14"""
    entries = [start(2, 1), roll(10, 20, green=25)]
    assert list_scores(*entries, lock(20, 10, green=True), course=OPEN) == [55, None, None]
    assert list_scores(*entries, lock(10, 20), roll(green=5), lock(green=True), course=OPEN) == [35, None, None]
    assert list_offered_types(*entries, lock(20, 10, green=True)) == ["start"]


def test_a_segment_and_a_race_may_end_below_0() -> None:
    """GO-15"""
    entries = [start(1, 0), roll(5, flag="yellow"), STAND, penalty(-25), STAND]
    assert list_scores(*entries, course=OPEN) == [-20, None, None]
    assert get_total_of(*entries, start(0, 0), roll(flag="red"), STAND, penalty(-40), STAND) == -60


# Rulings


def test_a_contest_may_say_what_is_on_the_dice() -> None:
    """GO-16"""
    kit = {
        "black": [{"face": "V", "value": 7}, {"face": "1", "value": 100, "circled": True}],
        "yellow": [{"face": "x", "value": -3}],
        "red": [{"face": "x", "value": 0}, {"face": "flat", "value": -1}],
    }
    entries = [start(3, 0), roll("V", 1, "1")]
    assert get_cells(*entries, kit=kit)["stands_at"].points == 207
    assert get_total_of(*entries, lock("1", "V", 1), kit=kit) == 207
    yellow = [start(1, 0), roll("V", flag="yellow"), STAND, penalty("x")]
    assert get_total_of(*yellow, STAND, kit=kit) == 4  # on the yellow die that is a label like any other
    assert list_offered_types(*yellow, STAND, kit=kit) == ["start"]
    red = [start(1, 0), roll("V", flag="red"), STAND]
    assert get_total_of(*red, penalty("flat"), STAND, kit=kit) == 6
    assert list_offered_types(*red, penalty("x"), STAND, kit=kit) == ["penalty"]
    assert get_malformed_field(start(1, 0), roll(30), kit=kit) == "actions[1].black[0]"
    assert get_malformed_field(*red, penalty("crash"), kit=kit) == "actions[3].face"


def test_circles_are_the_kits_and_the_175_is_the_rule_books() -> None:
    """GO-16, GO-7"""
    kit = {
        "black": [{"face": "a", "value": 1, "circled": True}, {"face": "b", "value": 2, "circled": True}],
        "green": [{"face": "flat", "value": 0, "circled": True}, {"face": "c", "value": 3}],
    }
    assert get_total_of(start(), roll("a", "b", "a", "b", "a", green="flat", flag="black"), STAND, kit=kit) == 175
    assert get_total_of(start(), roll("a", "b", "a", "b", "a", green="c", flag="black"), STAND, kit=kit) == 0


def test_the_kit_of_the_house() -> None:
    """GO-17"""
    dice = GAME.ruleset().setup
    assert dice.black.values == {5: 5, 10: 10, 15: 15, 20: 20, 25: 25, 30: 30}
    assert dice.green.values == {"flat": 0, 5: 5, 10: 10, 15: 15, 20: 20, 25: 25}
    assert dice.yellow.values == {"lights": 0, -5: -5, -10: -10, -15: -15, -20: -20, -25: -25}
    assert dice.red.values == {"crash": 0, "x": 0, -10: -10, -20: -20, -30: -30, -40: -40}
    assert (dice.black.circled, dice.green.circled) == ({30}, {25})
    assert 5 * 30 + 25 == 175


@pytest.mark.parametrize(("flag", "rule"), [("yellow", "GO-10"), ("red", "GO-11"), ("black", "GO-9")])
def test_the_limit_is_a_matter_of_the_green_flag_alone(flag: str, rule: str) -> None:
    """GO-19"""
    fast = [start(5, 0), roll(30, 30, 30, 30, 25, flag=flag)]
    assert list_broken_rules(*fast, lock(30), course=OVER_120) == [rule]
    after = [] if flag == "black" else [penalty(-10), STAND]
    assert list_scores(*fast, STAND, *after, course=OVER_120) == [0 if flag == "black" else 135, None]


def test_175_cannot_be_turned_down_by_locking_but_rerolled() -> None:
    """GO-20"""
    entries = [start(), roll(*ALL_CIRCLED, green=25)]
    assert [(p.rule, p.code) for p in list_problems(*entries, lock(30))] == [("GO-20", "not_declined")]
    assert get_total_of(*entries, reroll(5, 5, 5, 5, 5, green=5, flag="black"), STAND) == 0


def test_the_extra_turn_races_the_same_segment_once_more_and_may_earn_another() -> None:
    """GO-20"""
    circled = [start(), roll(*ALL_CIRCLED, green=25), STAND]
    assert get_cells(*circled)["segment_1"].points == 175
    again = [start(2, 0), roll(10, 20), lock(10, 20)]
    assert list_scores(*circled, *again, course=OPEN) == [205, None, None]
    assert list_scores(*circled, *circled, *again, course=OPEN) == [380, None, None]
    assert list_scores(*circled, start(1, 0), roll(5, flag="black"), STAND, course=OPEN) == [175, None, None]
    assert get_total_of(*circled, start(1, 0), roll(5, flag="yellow"), STAND, penalty(-25), STAND) == 155
    limit = make_course_option(60, None)
    assert list_offered_types(*circled, start(5, 0), roll(20, 20, 20, 5, 5), course=limit) == ["stand", "reroll"]
    assert GAME.is_finished(play(*circled, *again, course=ONE))


def test_175_may_also_be_the_first_rolls_reroll_but_not_of_dice_locked_before() -> None:
    """GO-21"""
    assert get_total_of(start(), roll(5, 5, 5, 5, 5, green="flat"), reroll(*ALL_CIRCLED, green=25), STAND) == 175
    later = [start(), roll(30, 5, 5, 5, 5, green=5), lock(30), roll(30, 30, 30, 30, green=25)]
    assert list_offered_types(*later) == ["lock", "lock", "reroll"]
    assert get_total_of(*later, lock(30, 30, 30, 30, green=True)) == 175
    assert list_offered_types(*later, lock(30, 30, 30, 30, green=True)) == ["start"]
    assert list_scores(*later, lock(30, 30, 30, 30, green=True), course=OPEN) == [175, None, None]
    assert list_offered_types(*later, lock(30, 30, 30, 30, green=True), course=ONE) == []


def test_a_reroll_after_a_flat_tyre_brings_the_green_die_back() -> None:
    """GO-22"""
    flat = [start(1, 1), roll(10, green="flat")]
    assert [(p.rule, p.field) for p in list_problems(*flat, reroll(10))] == [("GO-22", "green")]
    assert get_total_of(*flat, reroll(10, green=25), lock(10, green=True)) == 35
    alone = [start(0, 1), roll(green="flat")]
    assert get_total_of(*alone, reroll(green=25), lock(green=True)) == 25
    assert list_broken_rules(*flat, lock(10), reroll(green=25), course=OPEN) == ["GO-6"]


@pytest.mark.parametrize(
    "entries",
    [
        [start(0, 0), roll()],
        [start(0, 1), roll(green="flat")],
        [start(1, 1), roll(5, green=5), lock(5), roll(green="flat")],
    ],
)
def test_with_no_die_left_to_lock_the_segment_is_complete(entries: list[Action]) -> None:
    """GO-23"""
    assert list_offered_types(*entries) == ["stand", "reroll"]
    assert [(p.rule, p.code) for p in list_problems(*entries, lock())] == [("GO-23", "nothing_left")]
    assert list_broken_rules(*entries, roll()) == ["GO-23"]
    assert list_scores(*entries, STAND, course=OPEN) == [5 if len(entries) > 2 else 0, None, None]


def test_all_penalty_rolls_are_made_even_after_the_race_has_ended() -> None:
    """GO-24"""
    options: dict[str, Any] = {"course": make_course_option(100, None)}  # 45 above: twice
    ended = [*FAST, STAND, penalty("x"), STAND, penalty("x"), STAND]
    assert not GAME.is_finished(play(*ended, **options))
    assert list_offered_types(*ended, **options) == ["penalty"]
    state = play(*ended, penalty(-40), STAND, **options)
    assert GAME.is_finished(state)
    assert GAME.standing(state, 0).total == 105
    assert GAME.is_finished(play(*FAST, STAND, roll_penalties_together("x", "x", -40), **options))
    assert not GAME.is_finished(play(*FAST, STAND, roll_penalties_together("x", -10, "x"), **options))


def test_who_is_out_skips_the_segments_that_are_left() -> None:
    """GO-25, TABLE-2"""
    out = [*score_segment(10), *RED, roll_penalties_together("crash", "x")]
    assert list_scores(*out, course=OPEN) == [10, 50, 0]
    assert GAME.standing(play(*out, course=OPEN), 0).status == "done"
    assert list_broken_rules(*out, start(), course=OPEN) == ["TABLE-2"]
    assert list_broken_rules(*out, RETIRE, course=OPEN) == ["TABLE-2"]
    state = play(*by_seat(0, *out), *by_seat(1, *score_segment(5)), seats=2, course=OPEN)
    assert not GAME.is_finished(state)
    assert GAME.ranking(state).groups == ((0,), (1,))


def test_above_its_limit_a_segment_scores_its_total_and_the_penalties() -> None:
    """GO-26"""
    assert list_scores(*FAST, STAND, course=make_course_option(130, None)) == [145, None]
    assert list_scores(*FAST, STAND, roll_penalties_together(-40), course=make_course_option(120, None)) == [105, None]
    locked = [start(2, 0), roll(25, 5), lock(25), roll(30), STAND, roll_penalties_together(-10)]
    assert list_scores(*locked, course=make_course_option(30, None)) == [45, None]


def test_all_dice_locked_does_not_wait_for_a_flat_green_die() -> None:
    """GO-26"""
    assert list_scores(start(2, 1), roll(5, 10, green="flat"), lock(5, 10), course=OPEN) == [15, None, None]
    later = [start(2, 1), roll(5, 10, green="flat"), lock(5), roll(30), lock(30)]
    assert list_scores(*later, course=OPEN) == [35, None, None]


def test_a_reroll_may_be_rerolled_and_a_second_red_roll_stays_the_second() -> None:
    """GO-26"""
    assert get_total_of(start(1, 0), roll(5), reroll(10), reroll(15), lock(15)) == 15
    second = [*RED, penalty("x"), STAND, penalty("x"), reroll_penalty("crash")]
    assert list_scores(*second, STAND, course=OPEN) == [50, None, None]
    assert GAME.is_finished(play(*second, reroll_penalty("x"), STAND, course=OPEN))


def test_penalty_dice_thrown_together_count_as_thrown() -> None:
    """GO-27"""
    twice: dict[str, Any] = {"course": make_course_option(100, None, None)}
    assert list_scores(*CRASHED, roll_penalties_together(-10, "crash", -20), **twice) == [115, None, None]
    assert list_scores(*YELLOW, roll_penalties_together(-5), course=OPEN) == [45, None, None]
    assert list_broken_rules(*CRASHED, roll_penalties_together(-10), reroll_penalty(-20), **twice) == ["GO-27"]
    assert list_broken_rules(*CRASHED, roll_penalties_together(-10, -10), reroll_penalty(-20), **twice) == ["GO-27"]
    assert list_broken_rules(*CRASHED, roll_penalties_together(-10), reroll_penalty(-20), **twice, rerolls=0) == [
        "GO-27",
        "GO-2",
    ]
    assert list_broken_rules(*CRASHED, roll_penalties_together(-10), STAND, **twice) == ["GO-13"]
    assert list_broken_rules(*CRASHED, roll_penalties_together(-10, -10), start(1, 0), reroll(5), **twice) == ["GO-6"]
    mixed = [*CRASHED, roll_penalties_together(-10), penalty(-40), reroll_penalty(-10), STAND]
    assert list_scores(*mixed, **twice) == [125, None, None]


def test_they_are_one_or_more_and_no_more_than_are_due() -> None:
    """GO-27"""
    twice: dict[str, Any] = {"course": make_course_option(100, None)}
    assert [(p.rule, p.code) for p in list_problems(*CRASHED, roll_penalties_together(), **twice)] == [
        ("GO-27", "no_faces")
    ]
    (problem,) = list_problems(*CRASHED, roll_penalties_together(-10, "crash", "x", -20, -20), **twice)
    assert (problem.rule, problem.field, problem.code) == ("GO-27", "faces", "too_many_faces")
    assert problem.message().endswith("Remove the last 2 dice.")
    assert list_broken_rules(*YELLOW, roll_penalties_together(-5, -5)) == ["GO-27"]
    assert list_broken_rules(*RED, roll_penalties_together(-10, -10)) == ["GO-27"]
    assert list_broken_rules(*CRASHED, roll_penalties_together(*[-10] * 17), course=OVER_120) == ["GO-27"]
    play(*CRASHED, roll_penalties_together(*[-10] * 16), course=OVER_120)
    play(*CRASHED, roll_penalties_together(*["crash"] * 32), course=OVER_120)


def test_a_second_roll_that_the_last_of_them_called_for_may_follow_later() -> None:
    """GO-27"""
    twice: dict[str, Any] = {"course": make_course_option(100, None)}
    later = [*CRASHED, roll_penalties_together(-10, "x")]
    assert list_offered_types(*later, **twice) == ["penalty"]
    assert list_scores(*later, penalty("crash"), STAND, **twice) == [135, None]
    assert list_scores(*later, roll_penalties_together(-20), **twice) == [115, None]
    assert list_broken_rules(*later, roll_penalties_together(-20, -20), **twice) == ["GO-27"]
    assert GAME.is_finished(play(*later, roll_penalties_together("x"), **twice))


# What holds in every game


def test_after_the_last_segment_a_seat_accepts_no_action_not_even_retiring() -> None:
    """TABLE-2: before every other clause, however wrong the action is."""
    end = by_seat(0, *score_segment(5))
    for action in (start(9, 9), roll(5), reroll(5), lock(5), STAND, penalty(-5), roll_penalties_together(), RETIRE):
        assert list_broken_rules(*end, *by_seat(0, action), seats=2, course=ONE) == ["TABLE-2"]
    play(*end, *by_seat(1, start()), seats=2, course=ONE)


@pytest.mark.parametrize(
    "moment",
    [[start()], [start(1, 0), roll(30)], YELLOW, [*RED, penalty("x")], CRASHED],
)
def test_a_player_can_retire_at_any_moment_and_keeps_the_score(moment: list[Action]) -> None:
    """TABLE-3"""
    limits: dict[str, Any] = {"course": make_course_option(None, 25, None)}
    state = play(*by_seat(0, *score_segment(30), *moment, RETIRE), *by_seat(1, start()), seats=2, **limits)
    assert GAME.standing(state, 0).total == 30
    assert GAME.ranking(state).groups == ((1,), (0,))
    assert not GAME.is_finished(state)


def test_an_accepted_175_is_kept_after_retiring_and_after_the_race_has_ended() -> None:
    """TABLE-3, GO-20"""
    circled = [start(), roll(*ALL_CIRCLED, green=25), STAND]
    assert get_total_of(*circled, start(1, 0), roll(30), RETIRE) == 175
    assert get_total_of(*circled[:2], RETIRE) == 0
    assert get_total_of(*circled, *RED, roll_penalties_together("x", "x")) == 225


def test_when_everybody_has_retired_the_first_of_them_has_won() -> None:
    """TABLE-3"""
    state = play(*by_seat(0, RETIRE), *by_seat(1, *score_segment(5), RETIRE), seats=2)
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (1,)


def test_the_more_specific_clause_comes_first() -> None:
    """TABLE-4"""
    entries = [start(2, 0), roll(5, 5)]
    assert list_broken_rules(*entries, reroll(5, green=5), rerolls=0) == ["GO-2", "GO-4", "GO-6"]
    assert list_broken_rules(start(2, 0), roll(5, green=5)) == ["GO-4", "GO-5"]
    flat = [start(2, 1), roll(5, 5, green="flat"), lock(5)]
    assert list_broken_rules(*flat, roll(5, 5, green=5)) == ["GO-8", "GO-5"]
