"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from typing import Any

import pytest

from games.grand_prix import GAME
from tests.games.grand_prix.table import (
    ALL_FREE,
    MOVE,
    NONE_FREE,
    RETIRE,
    by_seat,
    drive_to,
    gear,
    get_drive,
    list_broken_rules,
    list_problem_codes,
    list_problems,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    play,
    reroll,
    roll,
    select,
    turn,
)

SPRINT = make_sheet_option(make_circuit_option(1, 1, time=1))  # one turn, and the flag is 3 spaces away
LONG = make_sheet_option(make_circuit_option(200, 200, time=100, damage=5))


def place(*actions: dict[str, Any], **sheet_options: Any) -> int:
    """Return the place of the only circuit, which these turns must end."""
    drive = get_drive(*actions, sheet=sheet_options)
    assert len(drive.places) == 1
    return drive.places[0]


# The race


def test_the_four_circuits_are_driven_in_order_and_their_places_make_the_score() -> None:
    """GP-1"""
    names = [one["name"] for one in GAME.ruleset().options["sheet"]["circuits"]]
    assert names == ["Australia", "Bahrain", "China", "Spain"]
    slow = [action for number in range(18) for action in turn(1 + number % 2, 0)]
    state = play(*slow)
    assert state.seats[0].places == (49,)
    assert not GAME.is_finished(state)
    slower = [action for number in range(21) for action in turn(1 + number % 2, 0)]
    state = play(*slow, *slow, *slower, *slower)
    assert state.seats[0].places == (49, 51, 60, 63)
    assert GAME.standing(state, 0).total == 223
    assert GAME.is_finished(state)


def test_the_lowest_sum_wins_and_tied_seats_stay_tied() -> None:
    """GP-1"""
    last = drive_to((2, 0))
    state = play(
        *by_seat(0, *last), *by_seat(1, *drive_to((2, 2))), *by_seat(2, *drive_to((3, 2))), seats=3, sheet=SPRINT
    )
    assert [GAME.standing(state, seat).total for seat in range(3)] == [3, 1, 1]
    assert GAME.ranking(state).groups == ((1, 2), (0,))
    assert GAME.winners(state) == (1, 2)
    assert (GAME.ruleset().lowest_wins, GAME.ruleset().tie_procedure, GAME.tie_rule) == (True, "stay_level", "GP-1")
    assert GAME.legal_actions(state, None) == ()


def test_each_turn_marks_one_space_of_time_and_the_last_space_is_the_last_turn() -> None:
    """GP-2"""
    assert get_drive(gear(4)).time == 1
    assert get_drive(gear(4), roll(), MOVE, gear(5), roll(), reroll(), MOVE).time == 2
    three = make_sheet_option(make_circuit_option(9, 9, time=3))
    assert get_drive(*drive_to((2, 0), (1, 0)), sheet=three).places == ()
    assert get_drive(*drive_to((2, 0), (1, 0), (2, 0)), sheet=three).places == (19,)


def test_the_house_sheet_has_the_printed_time_tracks() -> None:
    """GP-2"""
    assert [one["time"] for one in GAME.ruleset().options["sheet"]["circuits"]] == [18, 18, 21, 21]


@pytest.mark.parametrize("next_gear", [3, 5])
def test_the_next_gear_is_one_above_or_below(next_gear: int) -> None:
    """GP-3"""
    assert get_drive(*turn(4, 2), gear(next_gear)).turn == (next_gear, (), False)


@pytest.mark.parametrize("next_gear", [1, 2, 6])
def test_a_gear_further_away_needs_a_shift(next_gear: int) -> None:
    """GP-3, GP-19"""
    (problem,) = list_problems(*turn(4, 2), gear(next_gear))
    assert (problem.rule, problem.code, problem.field) == ("GP-3", "gear_too_far", "gear")
    assert problem.message() == (
        f"Gear {next_gear} is not next to last turn’s gear, 4. Declare a shift, or select one of these: 3, 5."
    )
    assert get_drive(*turn(4, 2), gear(next_gear, shift=True)).turn == (next_gear, (), False)


def test_the_same_gear_never_comes_twice_in_a_row() -> None:
    """GP-3"""
    (problem,) = list_problems(*turn(6, 2), gear(6))
    assert (problem.rule, problem.message()) == ("GP-3", "Gear 6 was used last turn. Select one of these: 5.")
    assert get_drive(*turn(6, 2), *turn(5, 2), gear(6)).time == 3


@pytest.mark.parametrize("first", [1, 4, 6])
def test_the_first_turn_of_every_circuit_takes_any_gear(first: int) -> None:
    """GP-3"""
    two = make_sheet_option(make_circuit_option(9, 9, time=1), make_circuit_option(9, 9))
    drive = get_drive(gear(first), roll(), MOVE, gear(first), sheet=two)
    assert (len(drive.places), drive.turn) == (1, (first, (), False))


def test_a_turn_has_one_gear_and_it_comes_before_the_roll() -> None:
    """GP-3"""
    assert list_problem_codes(roll()) == [("GP-3", "no_gear", None)]
    assert list_problem_codes(*turn(4, 2), roll()) == [("GP-3", "no_gear", None)]
    assert list_problem_codes(gear(4), gear(5)) == [("GP-3", "gear_selected", None)]
    assert list_problem_codes(gear(4), roll(), gear(5)) == [("GP-3", "gear_selected", None)]


@pytest.mark.parametrize(("number", "spaces"), [(1, 0), (2, 1), (3, 3), (4, 3), (5, 4), (6, 5), (7, 6)])
def test_each_die_below_the_gear_moves_the_car_one_space(number: int, spaces: int) -> None:
    """GP-4"""
    drive = get_drive(gear(number), roll(2, 5, 1, 4, 6, 2), MOVE, sheet={"gears": 7})
    assert drive.position == spaces


@pytest.mark.parametrize("dice", [(), (1,), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6, 6)])
def test_a_roll_has_six_dice(dice: tuple[int, ...]) -> None:
    """GP-4"""
    (problem,) = list_problems(gear(4), {"type": "roll", "dice": list(dice)})
    assert (problem.rule, problem.code, problem.field) == ("GP-4", "not_six_dice", "dice")
    assert str(len(dice)) in problem.message()


def test_a_turn_has_one_roll_and_moves_with_it() -> None:
    """GP-4"""
    assert list_problem_codes(gear(4), roll(), roll(include=True)) == [("GP-4", "rolled_already", None)]
    assert (
        list_problem_codes(MOVE)
        == list_problem_codes(gear(4), MOVE)
        == list_problem_codes(*turn(4, 2), MOVE)
        == [("GP-4", "no_dice", None)]
    )


@pytest.mark.parametrize(
    ("stops", "unused"),
    [
        (((3, 1), (4, 1), (5, 2)), 9),  # 1 2 4: every section
        (((4, 1), (5, 3)), 4),  # 1 4: the second is missed in gear 5
        (((4, 4),), 5),  # 4: the first may be left out, the second is missed in gear 4
        (((5, 2), (4, 3), (5, 4)), 9),  # 2 5 and the flag: the last may be left out
        (((5, 2), (6, 6)), 3),  # 2 8: the third is missed in gear 6
    ],
)
def test_every_section_must_be_landed_in_except_those_beside_the_flag(
    stops: tuple[tuple[int, int], ...], unused: int
) -> None:
    """GP-5, GP-6: sections of one space, two, three and two."""
    assert get_drive(*drive_to(*stops), sheet=make_sheet_option(make_circuit_option(1, 2, 3, 2))).unused == (unused,)


def test_no_section_of_a_circuit_of_two_can_be_missed() -> None:
    """GP-5"""
    assert get_drive(*turn(6, 6), sheet=make_sheet_option(make_circuit_option(1, 1, damage=0))).places == (0,)


@pytest.mark.parametrize(("number", "spaces", "damage"), [(2, 1, 0), (2, 3, 2), (5, 3, 5), (3, 4, 6), (6, 5, 18)])
def test_each_section_missed_costs_the_gear(number: int, spaces: int, damage: int) -> None:
    """GP-6: the sections after the first are single spaces."""
    ring = make_sheet_option(make_circuit_option(1, 1, 1, 1, 1, 9, damage=100))
    assert get_drive(*turn(number, spaces), sheet=ring).unused == (100 - damage,)


def test_damage_that_does_not_fit_is_place_20() -> None:
    """GP-7"""
    assert place(*turn(4, 3), circuits=[make_circuit_option(1, 1, 9, damage=3)]) == 20
    missing_two = drive_to((3, 3), (2, 2))
    assert get_drive(*missing_two, sheet=make_sheet_option(make_circuit_option(1, 1, 1, 1, 9, damage=5))).unused == (0,)
    assert get_drive(*missing_two, sheet=make_sheet_option(make_circuit_option(1, 1, 1, 1, 9, damage=5))).places == ()
    assert place(*missing_two, circuits=[make_circuit_option(1, 1, 1, 1, 9, damage=4)]) == 20


@pytest.mark.parametrize(("stops", "left"), [(((1, 0), (2, 0)), 61), (((1, 0), (2, 4)), 57), (((6, 6), (5, 6)), 49)])
def test_when_time_is_up_the_place_is_the_distance_even_above_20(stops: tuple[tuple[int, int], ...], left: int) -> None:
    """GP-8, GP-14"""
    assert place(*drive_to(*stops), circuits=[make_circuit_option(30, 30, time=2)]) == left


def test_the_flag_in_time_or_on_the_last_turn_is_place_0() -> None:
    """GP-9"""
    in_time = get_drive(*drive_to((6, 6)), sheet=make_sheet_option(make_circuit_option(2, 3, time=2)))
    assert (in_time.places, in_time.unused) == ((0,), (9,))
    assert place(*drive_to((5, 1), (6, 5)), circuits=[make_circuit_option(2, 3, time=2)]) == 0
    assert place(*drive_to((5, 0), (6, 5)), circuits=[make_circuit_option(2, 3, time=2)]) == 1
    assert place(*drive_to((5, 5), (6, 6)), circuits=[make_circuit_option(2, 3, time=2)]) == 0


# Special actions


def test_a_reroll_takes_all_six_dice_again() -> None:
    """GP-10"""
    drive = get_drive(gear(4), roll(), reroll(6, 6, 6, 6, 6, 1), MOVE)
    assert (drive.position, drive.free) == (1, (1, 2, 3, 2))
    assert list_problem_codes(gear(4), roll(), {"type": "reroll", "dice": [1, 2, 3, 4, 5]}) == [
        ("GP-10", "not_six_dice", "dice")
    ]
    assert (
        list_problem_codes(reroll()) == list_problem_codes(gear(4), reroll()) == [("GP-10", "nothing_to_reroll", None)]
    )


def test_include_counts_dice_equal_to_the_gear() -> None:
    """GP-10"""
    drive = get_drive(gear(4), roll(1, 3, 4, 4, 5, 6, include=True), MOVE)
    assert (drive.position, drive.free) == (4, (2, 1, 3, 2))
    assert get_drive(gear(1), roll(1, 1, 2, 2, 3, 4, include=True), MOVE).position == 2


def test_a_select_rolls_some_of_the_dice_again() -> None:
    """GP-10"""
    drive = get_drive(gear(4), roll(1, 2, 5, 5, 6, 6), select((5, 6, 6), 3, 3, 4))
    assert drive.turn is not None
    assert sorted(drive.turn.dice) == [1, 2, 3, 3, 4, 5]
    assert drive.free == (2, 2, 2, 2)
    assert (
        list_problem_codes(select((1,), 2))
        == list_problem_codes(gear(4), select((1,), 2))
        == [("GP-10", "nothing_to_reroll", None)]
    )


def test_a_select_takes_at_least_one_die_and_as_many_are_rolled() -> None:
    """GP-10"""
    actions = [gear(4), roll()]
    assert list_problem_codes(*actions, select(())) == [("GP-10", "nothing_selected", "reroll")]
    (problem,) = list_problems(*actions, select((5, 6), 1))
    assert (problem.rule, problem.field) == ("GP-10", "dice")
    assert problem.message() == "Roll as many dice as you selected: 2, not 1."
    assert list_problem_codes(*actions, select((), 1)) == [
        ("GP-10", "nothing_selected", "reroll"),
        ("GP-10", "not_as_many", "dice"),
    ]


def test_free_uses_are_for_the_whole_game() -> None:
    """GP-10, GP-13: a new circuit does not restore free uses."""
    two = make_sheet_option(make_circuit_option(9, 9, time=1), make_circuit_option(9, 9))
    drive = get_drive(gear(4), roll(include=True), reroll(), select((6,), 1), MOVE, sheet=two)
    assert (len(drive.places), drive.free) == (1, (1, 1, 2, 2))


def test_without_free_uses_a_special_action_is_paid_with_unused_damage() -> None:
    """GP-11"""
    costly = make_sheet_option(
        make_circuit_option(90, 90, damage=20),
        specials={"reroll": make_special_option(1, 3), "include": make_special_option(0, 5)},
    )
    actions = [gear(4), roll(include=True)]
    assert get_drive(*actions, sheet=costly).unused == (15,)
    assert get_drive(*actions, reroll(), sheet=costly).unused == (15,)
    assert get_drive(*actions, reroll(), reroll(), reroll(), sheet=costly).unused == (9,)


def test_what_is_paid_leaves_less_room_for_damage() -> None:
    """GP-11, GP-7"""
    ring = make_sheet_option(make_circuit_option(1, 1, 9, damage=5), specials={"reroll": make_special_option(0, 2)})
    assert get_drive(gear(4), roll(1, 1, 1, 6, 6, 6), MOVE, sheet=ring).unused == (1,)
    assert get_drive(gear(4), roll(), reroll(1, 1, 1, 6, 6, 6), MOVE, sheet=ring).places == (20,)


def test_reroll_and_select_follow_each_other_in_a_turn_also_with_include() -> None:
    """GP-12"""
    drive = get_drive(
        gear(3),
        roll(4, 4, 5, 5, 6, 6),
        select((6, 6), 3, 3),
        reroll(4, 5, 5, 5, 6, 6),
        select((5, 5), 5, 6),
        reroll(3, 3, 3, 1, 4, 6, include=True),
        select((4,), 3),
        MOVE,
    )
    assert (drive.position, drive.free) == (5, (0, 1, 0, 2))


# Where the source is silent


def test_the_sheet_is_the_contests_to_choose_and_the_house_sheet_is_the_default() -> None:
    """GP-13"""
    setup = GAME.ruleset().setup
    assert (setup.gears, setup.free, setup.costs) == (6, (2, 2, 3, 2), (2, 2, 1, 1))
    assert [(one.time, one.damage, one.flag) for one in setup.circuits] == [
        (18, 10, 49), (18, 10, 51), (21, 11, 60), (21, 11, 63),
    ]  # fmt: skip
    other = GAME.ruleset({"sheet": {"gears": 3, "specials": {"shift": make_special_option(0, 7)}}}).setup
    assert (other.gears, other.free, other.costs) == (3, (2, 2, 3, 0), (2, 2, 1, 7))
    assert other.circuits == setup.circuits


@pytest.mark.parametrize(("spaces", "expected"), [(0, 5), (1, 4), (4, 1), (5, 0), (6, 0)])
def test_the_flag_lies_right_behind_the_last_space(spaces: int, expected: int) -> None:
    """GP-14: four spaces, so the flag is 5 away from the start."""
    assert place(*turn(6, spaces), circuits=[make_circuit_option(2, 2, time=1)]) == expected


def test_the_turn_that_reaches_the_flag_takes_its_damage_and_may_not_finish_for_it() -> None:
    """GP-15"""
    assert get_drive(*turn(6, 6), sheet=make_sheet_option(make_circuit_option(1, 3, 1, damage=6))).places == (0,)
    assert get_drive(*turn(6, 6), sheet=make_sheet_option(make_circuit_option(1, 3, 1, damage=6))).unused == (0,)
    assert place(*turn(6, 6), circuits=[make_circuit_option(1, 3, 1, damage=5)]) == 20
    assert place(*turn(6, 6), circuits=[make_circuit_option(1, 3, 1, damage=5, time=1)]) == 20


def test_damage_that_just_fills_the_track_does_no_harm() -> None:
    """GP-16"""
    drive = get_drive(*turn(5, 3), sheet=make_sheet_option(make_circuit_option(1, 1, 30, damage=5)))
    assert (drive.places, drive.unused, drive.position) == ((), (0,), 3)
    drive = get_drive(*turn(5, 1), sheet=make_sheet_option(make_circuit_option(1, 1, 30, damage=0)))
    assert (drive.places, drive.unused) == ((), (0,))


def test_a_car_that_does_not_finish_is_20th_even_if_it_was_further_away_on_the_last_turn() -> None:
    """GP-16"""
    assert place(*turn(5, 3), circuits=[make_circuit_option(1, 1, 90, damage=4, time=1)]) == 20
    assert place(*turn(5, 3), circuits=[make_circuit_option(1, 1, 90, damage=5, time=1)]) == 90
    assert place(*turn(5, 3), circuits=[make_circuit_option(1, 1, 90, damage=4)]) == 20


def test_a_section_is_missed_once_the_car_is_behind_its_last_space_and_paid_for_once() -> None:
    """GP-16: three spaces follow the first section."""
    ring = make_sheet_option(make_circuit_option(1, 3, 1, 30, damage=50))
    assert get_drive(*drive_to((6, 1), (5, 3)), sheet=ring).unused == (50,)
    assert get_drive(*drive_to((6, 1), (5, 3), (4, 1)), sheet=ring).unused == (50,)
    assert get_drive(*drive_to((6, 1), (5, 4)), sheet=ring).unused == (45,)
    assert get_drive(*drive_to((6, 1), (5, 4), (4, 6)), sheet=ring).unused == (45,)
    assert get_drive(*drive_to((6, 1), (5, 5), (4, 6)), sheet=ring).unused == (40,)


def test_a_car_that_does_not_move_misses_nothing() -> None:
    """GP-16"""
    ring = make_sheet_option(make_circuit_option(1, 1, 1, 30, damage=50))
    assert get_drive(*drive_to((6, 3), (5, 0), (6, 0)), sheet=ring).unused == (44,)


def test_a_price_is_taken_from_the_earliest_circuits_first_and_the_running_circuit_last() -> None:
    """GP-17, GP-11"""
    three = make_sheet_option(
        make_circuit_option(9, 9, time=1, damage=3), make_circuit_option(9, 9, time=1, damage=4),
        make_circuit_option(9, 9, damage=5),
        specials={"reroll": make_special_option(0, 2)},
    )  # fmt: skip
    actions = [*turn(2, 0), *turn(2, 0), gear(2), roll()]
    assert [get_drive(*actions, *[reroll()] * times, sheet=three).unused for times in range(7)] == [
        (3, 4, 5), (1, 4, 5), (0, 3, 5), (0, 1, 5), (0, 0, 4), (0, 0, 2), (0, 0, 0),
    ]  # fmt: skip
    assert list_broken_rules(*actions, *[reroll()] * 7, sheet=three) == ["GP-17"]


def test_a_circuit_not_finished_because_of_damage_has_none_left_to_pay_with() -> None:
    """GP-17"""
    two = make_sheet_option(
        make_circuit_option(1, 1, 9, damage=3),
        make_circuit_option(9, 9, damage=1),
        specials={"reroll": make_special_option(0, 2)},
    )
    actions = [*turn(4, 3), gear(2), roll()]
    assert get_drive(*actions, sheet=two).unused == (0, 1)
    (problem,) = list_problems(*actions, reroll(), sheet=two)
    assert (problem.rule, problem.code) == ("GP-17", "cannot_pay")
    assert (
        problem.message() == "This now costs 2 damage. Unused damage: 1. Move with the dice showing: 1, 2, 3, 4, 5, 6."
    )


@pytest.mark.parametrize(
    ("actions", "price", "field"),
    [
        ([gear(4), roll(include=True)], 3, "include"),
        ([gear(4), roll(), reroll()], 3, None),
        ([gear(4), roll(), reroll(include=True)], 6, None),
        ([gear(4), roll(), select((6,), 1)], 3, None),
        ([*turn(4, 0), gear(1, shift=True)], 3, "shift"),
    ],
)
def test_a_special_action_needs_enough_damage_to_pay_for_it(
    actions: list[dict[str, Any]], price: int, field: str | None
) -> None:
    """GP-17"""
    specials = {name: make_special_option(0, 3) for name in NONE_FREE}
    assert list_problem_codes(
        *actions, sheet=make_sheet_option(make_circuit_option(9, 9, damage=2), specials=specials)
    ) == [("GP-17", "cannot_pay", field)]
    assert get_drive(
        *actions, sheet=make_sheet_option(make_circuit_option(9, 9, damage=price), specials=specials)
    ).unused == (0,)
    play(*actions, sheet=make_sheet_option(make_circuit_option(9, 9, damage=0), specials=ALL_FREE))


def test_include_and_the_reroll_it_comes_with_are_paid_together() -> None:
    """GP-17"""
    actions = [gear(4), roll()]
    specials = {"include": make_special_option(0, 3), "reroll": make_special_option(0, 2)}
    one_short = make_sheet_option(make_circuit_option(9, 9, damage=4), specials=specials)
    (problem,) = list_problems(*actions, reroll(include=True), sheet=one_short)
    assert (problem.rule, problem.field) == ("GP-17", "include")
    assert problem.message() == "With include, this now costs 5 damage. Unused damage: 4. Leave “include” out."
    assert get_drive(*actions, reroll(), sheet=one_short).unused == (2,)
    assert get_drive(
        *actions, reroll(include=True), sheet=make_sheet_option(make_circuit_option(9, 9, damage=5), specials=specials)
    ).unused == (0,)


@pytest.mark.parametrize("again", [reroll(include=True), select((6,), 6, include=True)])
def test_include_is_declared_once_in_a_turn_with_any_of_its_rolls(again: dict[str, Any]) -> None:
    """GP-18"""
    late = get_drive(gear(4), roll(), again, MOVE, sheet=LONG)
    assert (late.position, late.free[1]) == (4, 1)
    assert list_problem_codes(gear(4), roll(include=True), again) == [("GP-18", "included_already", "include")]
    assert list_problem_codes(gear(4), roll(), again, again) == [("GP-18", "included_already", "include")]
    drive = get_drive(gear(4), roll(), again, MOVE, gear(3), roll(include=True), MOVE, sheet=LONG)
    assert drive.free[1] == 0


def test_include_applies_only_to_the_rest_of_its_turn() -> None:
    """GP-18"""
    included = [gear(4), roll(1, 1, 4, 4, 6, 6, include=True), reroll(4, 4, 4, 4, 4, 6)]
    assert get_drive(*included, MOVE, sheet=LONG).position == 5
    assert get_drive(*included, MOVE, gear(3), roll(3, 3, 3, 3, 3, 2), MOVE, sheet=LONG).position == 6


def test_select_takes_any_of_the_dice_showing_and_all_six_if_wished() -> None:
    """GP-18"""
    actions = [gear(4), roll(1, 1, 2, 5, 6, 6)]
    drive = get_drive(*actions, select((1, 1, 2, 5, 6, 6), 6, 6, 6, 6, 6, 6))
    assert drive.turn == (4, (6, 6, 6, 6, 6, 6), False)
    (problem,) = list_problems(*actions, select((1, 3, 5, 5), 1, 1, 1, 1))
    assert (problem.rule, problem.code, problem.field) == ("GP-18", "not_showing", "reroll")
    assert problem.message() == "These dice are not showing: 3, 5. Showing: 1, 1, 2, 5, 6, 6."
    assert list_broken_rules(*actions, select((6,), 1), select((6, 6), 1, 1)) == ["GP-18"]


@pytest.mark.parametrize("target", [1, 2, 4, 6])
def test_a_shift_is_not_declared_where_none_is_needed(target: int) -> None:
    """GP-19"""
    assert list_problem_codes(gear(target, shift=True)) == [("GP-19", "shift_on_first_turn", "shift")]
    two = make_sheet_option(make_circuit_option(9, 9, time=1), make_circuit_option(9, 9))
    assert list_problem_codes(*turn(4, 0), gear(target, shift=True), sheet=two) == [
        ("GP-19", "shift_on_first_turn", "shift")
    ]
    for last in (target - 1, target + 1):
        if 1 <= last <= 6:
            found = list_problem_codes(*turn(last, 0), gear(target, shift=True))
            assert found == [("GP-19", "shift_not_needed", "shift")]


def test_a_shift_does_not_allow_the_same_gear_again() -> None:
    """GP-19"""
    assert list_problem_codes(*turn(4, 0), gear(4, shift=True)) == [("GP-19", "same_gear", "gear")]


def test_a_shift_is_paid_when_the_gear_is_selected() -> None:
    """GP-19"""
    assert get_drive(*turn(1, 0), gear(6, shift=True)).free == (2, 2, 3, 1)
    costly = make_sheet_option(make_circuit_option(9, 9, damage=5), specials={"shift": make_special_option(0, 4)})
    assert get_drive(*turn(1, 0), gear(6, shift=True), sheet=costly).unused == (1,)


@pytest.mark.parametrize("number", [0, -1, 7, 10**30])
def test_the_gears_begin_at_1_and_end_at_the_last_of_the_sheet(number: int) -> None:
    """GP-20"""
    (problem,) = list_problems(gear(number))
    assert (problem.rule, problem.code, problem.field) == ("GP-20", "no_such_gear", "gear")
    assert problem.message() == "There is no such gear. The gears are 1 to 6."
    assert list_broken_rules(*turn(6, 0), gear(number)) == list_broken_rules(*turn(1, 0), gear(number)) == ["GP-20"]
    assert list_broken_rules(*turn(4, 0), gear(number, shift=True)) == ["GP-20"]


def test_a_sheet_may_have_two_gears_or_seven() -> None:
    """GP-20, GP-13"""
    assert get_drive(gear(7), sheet={"gears": 7}).turn == (7, (), False)
    assert list_broken_rules(gear(3), sheet={"gears": 2}) == ["GP-20"]


# What holds in every game


def test_there_is_no_order_among_the_seats_and_nobody_is_to_act() -> None:
    """TABLE-1"""
    state = play(
        *by_seat(1, gear(4)), *by_seat(0, gear(2), roll()), *by_seat(1, roll(), MOVE), *by_seat(0, MOVE), seats=2
    )
    assert GAME.to_act(state) is None
    assert [seat.position for seat in state.seats] == [1, 3]


def test_after_its_last_circuit_a_seat_accepts_no_action_not_even_retiring() -> None:
    """TABLE-2: before every other clause, however wrong the action is."""
    end = by_seat(0, *turn(2, 0))
    for action in (gear(99), roll(1), reroll(), select((), 1), MOVE, RETIRE):
        assert list_broken_rules(*end, *by_seat(0, action), seats=2, sheet=SPRINT) == ["TABLE-2"]
    state = play(*end, *by_seat(1, gear(4)), seats=2, sheet=SPRINT)
    assert not GAME.is_finished(state)


def test_those_still_driving_rank_below_the_finished_by_circuits_and_then_by_total() -> None:
    """TABLE-3: seats that retired rank below all others, in the same order."""
    three = make_sheet_option(*[make_circuit_option(1, 1, time=1)] * 3)
    slow, fast = turn(2, 0), turn(2, 6)
    state = play(
        *by_seat(0, *slow, *slow, *slow),  # done with 9
        *by_seat(1, *fast, *fast, RETIRE),  # retired with 0 after two
        *by_seat(2, *fast),  # driving with 0 after one
        *by_seat(3, *slow, *slow),  # driving with 6 after two
        *by_seat(4, *slow, *fast, gear(1), roll()),  # driving with 3 after two
        *by_seat(5, *slow, *slow, RETIRE),  # retired with 6 after two
        *by_seat(6, gear(1), RETIRE),  # retired before the end of the first
        *by_seat(7, *fast, *slow),  # driving with 3 after two
        seats=8,
        sheet=three,
    )
    assert [GAME.standing(state, seat).total for seat in range(8)] == [9, 0, 0, 6, 3, 6, 0, 3]
    assert GAME.ranking(state).groups == ((0,), (4, 7), (3,), (2,), (1,), (5,), (6,))


def test_when_everybody_has_retired_the_first_of_them_has_won() -> None:
    """TABLE-3"""
    two = make_sheet_option(*[make_circuit_option(1, 1, time=1)] * 2)
    state = play(*by_seat(0, RETIRE), *by_seat(1, *turn(2, 0), gear(5), RETIRE), seats=2, sheet=two)
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (1,)
    assert GAME.standing(state, 1).total == 3


def test_the_most_specific_clause_comes_first_and_every_problem_is_reported() -> None:
    """TABLE-4"""
    poor = make_sheet_option(make_circuit_option(9, 9, damage=0), specials=NONE_FREE)
    assert list_broken_rules(gear(4), gear(9)) == ["GP-20", "GP-3"]
    assert list_broken_rules(gear(9, shift=True)) == ["GP-20", "GP-19"]
    assert list_broken_rules(gear(4), roll(1, 2, include=True), sheet=poor) == ["GP-4", "GP-17"]
    assert list_broken_rules(gear(4), roll(), select((6, 6), include=True), sheet=poor) == ["GP-18", "GP-10", "GP-17"]
    assert list_broken_rules(gear(4), roll(), reroll(1, include=True), sheet=poor) == ["GP-10", "GP-17"]
    once = make_sheet_option(
        make_circuit_option(9, 9, damage=0), specials=NONE_FREE | {"include": make_special_option(1, 9)}
    )
    assert list_broken_rules(gear(4), roll(include=True), reroll(include=True), sheet=once) == ["GP-18", "GP-17"]
