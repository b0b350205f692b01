"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from random import Random

import pytest

from games.core.specs import ChoiceField, DiceField
from games.core.standing import Standing
from games.drag_rage import GAME
from games.drag_rage.state import FinishedHeat
from tests.games.drag_rage.random_races import drive
from tests.games.drag_rage.table import (
    BLOWN,
    BROKEN,
    BROKEN_AND_BLOWN,
    CROSSED,
    LAST_COUNTER,
    Action,
    challenge,
    decline,
    get_finished_heat,
    get_malformed_field,
    get_running_heat,
    get_spec,
    list_broken_rules,
    list_counter_choices,
    list_offered_types,
    list_open_counters,
    list_problems,
    list_spaces,
    lose_challenge,
    move,
    play,
    retire,
    roll,
    start,
    win_quickly,
)

# The track, the counters and the dice


def test_two_cars_start_on_space_1_and_cross_on_23() -> None:
    """DRAG-1"""
    assert list_spaces(start()) == [1, 1]
    assert GAME.seat_limits == (2, 2)
    on_22 = [start(), move(0, 12), move(1, 2), move(0, 9)]
    assert list_spaces(*on_22) == [22, 3]
    assert list_offered_types(*on_22, move(1, 3), seat=0) == ["advance", "challenge"]
    on_23 = [start(1), move(1, 2), move(0, 12), move(1, 3), move(0, 10)]
    assert get_finished_heat(*on_23) == FinishedHeat(0, (2, 2), (23, 6))


def test_a_counter_is_used_once_a_heat_by_either_player() -> None:
    """DRAG-2"""
    (problem,) = list_problems(start(), move(0, 8), move(1, 8))
    assert (problem.rule, problem.field) == ("DRAG-2", "counter")
    assert problem.message() == (
        "Counter 8 has already been used in this heat. Unused: 2, 3, 4, 5, 6, 7, 9, 10, 11, 12."
    )
    assert list_broken_rules(start(), move(0, 8), move(1, 7), move(0, 8)) == ["DRAG-2"]
    assert list_broken_rules(start(), *lose_challenge(0, 8), move(1, 8)) == ["DRAG-2"]
    (closed,) = [choice for choice in list_counter_choices(start(), move(0, 8)).choices if not choice.open]
    assert (closed.value, closed.rule, closed.why_not) == (8, "DRAG-2", problem.text)


def test_a_heat_starts_with_all_counters_and_both_nitro_dice() -> None:
    """DRAG-2, DRAG-16"""
    used = [start(), move(0, 12), challenge(1), roll(0, 6, 5, 1), decline(1), move(0, 10), move(1, 2)]
    assert not get_running_heat(*used).cars[0].has_nitro
    again = get_running_heat(*used, move(1, 3), start(1))
    assert [car.has_nitro for car in again.cars] == [True, True]
    assert sorted(again.unused) == list(range(2, 13))


@pytest.mark.parametrize("counter", [1, 13, 0, -2, 10**30, 2.0, "8", True, None, [8]])
def test_what_is_no_counter_cannot_be_read(counter: object) -> None:
    """DRAG-2"""
    assert get_malformed_field(start(), {"seat": 0, "type": "advance", "counter": counter}) == "actions[1].counter"


# A turn


def test_on_a_turn_a_player_advances_or_challenges_and_does_not_pass() -> None:
    """DRAG-3"""
    assert list_offered_types(start(), move(0, 8), seat=1) == ["advance", "challenge"]
    (problem,) = list_problems(start(), move(0, 8), decline(1))
    assert (problem.rule, problem.message()) == (
        "DRAG-3",
        "You cannot pass now. Advance, or challenge the opponent’s move.",
    )
    (problem,) = list_problems(start(), decline(0))
    assert (problem.rule, problem.message()) == ("DRAG-3", "You cannot pass now. Advance.")
    assert list_broken_rules(start(), *lose_challenge(0, 8), decline(1), decline(0)) == ["DRAG-3"]
    assert list_broken_rules(*BROKEN, move(1, 9), decline(1)) == ["DRAG-3"]


def test_a_car_moves_by_its_counter_and_the_turn_passes() -> None:
    """DRAG-4"""
    state = play(start(), move(0, 8))
    assert list_spaces(start(), move(0, 8)) == [9, 1]
    assert GAME.to_act(state) == 1
    assert list_spaces(start(), move(0, 8), move(1, 3), move(0, 4)) == [13, 4]


def test_a_challenged_player_rolls_two_dice_or_three_with_the_nitro_die() -> None:
    """DRAG-5"""
    challenged = [start(), move(0, 12), challenge(1)]
    assert GAME.to_act(play(*challenged)) == 0
    assert get_running_heat(*challenged, roll(0, 6, 6)).cars[0].has_nitro
    assert not get_running_heat(*challenged, roll(0, 4, 4, 4)).cars[0].has_nitro
    for dice in ((), (6,), (6, 6, 6, 6), (6,) * 100):
        (problem,) = list_problems(*challenged, roll(0, *dice))
        assert (problem.rule, problem.field, problem.code) == ("DRAG-5", "dice", "wrong_number_of_dice")
    assert "You entered 1 die." in list_problems(*challenged, roll(0, 6))[0].message()
    for face in (0, 7, "6", True, 1.0, None):
        assert (
            get_malformed_field(*challenged, {"seat": 0, "type": "defend", "dice": [1, face]}) == "actions[3].dice[1]"
        )
    assert get_malformed_field(*challenged, {"seat": 0, "type": "defend"}) == "actions[3].dice"


@pytest.mark.parametrize(
    "gone",
    [
        [challenge(1), roll(0, 6, 5, 1), decline(1), move(0, 3)],
        [move(1, 2), challenge(0), roll(1, 1, 1), move(0, 3)],
    ],
    ids=["rolled", "turned in"],
)
def test_the_nitro_die_is_used_once_a_heat(gone: list[Action]) -> None:
    """DRAG-5, DRAG-7"""
    again = [start(), move(0, 12), *gone, challenge(1)]
    (problem,) = list_problems(*again, roll(0, 1, 1, 1))
    assert (problem.rule, problem.code, problem.field) == ("DRAG-5", "nitro_gone", "dice")
    assert problem.message() == "The nitro die has already been used in this heat. Roll the two free dice."
    assert list_broken_rules(*again, roll(0, 1, 1, 1, 1)) == ["DRAG-5"]
    (dice,) = get_spec("defend", *again).fields
    assert isinstance(dice, DiceField)
    assert (dice.count.low, dice.count.high) == (2, 2)
    play(*again, roll(0, 1, 1))


def test_only_a_challenged_player_rolls() -> None:
    """DRAG-5"""
    assert [problem.code for problem in list_problems(start(), roll(0, 6, 6))] == ["not_challenged"]
    assert list_broken_rules(start(), move(0, 8), roll(1, 6, 6)) == ["DRAG-5"]
    assert list_broken_rules(start(), *lose_challenge(0, 8), roll(1, 6, 6)) == ["DRAG-5"]
    assert list_broken_rules(start(), move(0, 8), roll(0, 6, 6)) == ["TABLE-1"]


def test_a_total_below_the_counter_spins_the_car_out_and_the_challenger_may_advance() -> None:
    """DRAG-6, DRAG-9"""
    spun_out = [start(), move(0, 5), move(1, 12), challenge(0), roll(1, 6, 5)]
    assert list_spaces(*spun_out) == [6, 1]
    assert [car.played for car in get_running_heat(*spun_out).cars] == [1, 1]
    assert list_offered_types(*spun_out, seat=0) == ["advance", "pass"]
    assert list_spaces(*spun_out, move(0, 4)) == [10, 1]
    assert get_running_heat(*spun_out, move(0, 4)).cars[0].has_nitro
    assert GAME.to_act(play(*spun_out, move(0, 4))) == 1
    assert GAME.to_act(play(*spun_out, decline(0))) == 1


@pytest.mark.parametrize("dice", [(6, 6), (4, 4, 4), (6, 6, 6)])
def test_a_total_of_the_counter_or_more_holds(dice: tuple[int, ...]) -> None:
    """DRAG-7"""
    held = [start(), move(0, 5), move(1, 12), challenge(0), roll(1, *dice)]
    assert list_spaces(*held) == [6, 13]
    assert list_offered_types(*held, seat=0) == ["advance", "pass"]
    assert list_spaces(*held, move(0, 4)) == [10, 13]
    assert not get_running_heat(*held, move(0, 4)).cars[0].has_nitro
    assert get_running_heat(*held, decline(0)).cars[0].has_nitro


def test_without_a_nitro_die_a_failed_challenger_can_only_pass() -> None:
    """DRAG-7, TABLE-4"""
    gone = [start(), move(0, 12), challenge(1), roll(0, 6, 5, 1), decline(1), move(0, 3)]
    held = [*gone, move(1, 2), challenge(0), roll(1, 1, 1)]
    assert list_offered_types(*held, seat=0) == ["pass"]
    (problem,) = list_problems(*held, move(0, 4))
    assert (problem.rule, problem.code) == ("DRAG-7", "no_nitro")
    assert problem.message().endswith("Pass.")
    assert list_broken_rules(*held, move(0, 3)) == ["DRAG-7", "DRAG-2"]
    assert list_broken_rules(*held, move(0, 11)) == ["DRAG-7", "DRAG-13"]
    assert GAME.to_act(play(*held, decline(0))) == 1


def test_after_a_failed_challenge_and_a_pass_the_opponent_can_only_advance() -> None:
    """DRAG-8: the example of the printed rules."""
    passed = [start(), move(0, 8), move(1, 12), challenge(0), roll(1, 6, 6, 2), decline(0)]
    assert list_offered_types(*passed, seat=1) == ["advance"]
    (problem,) = list_problems(*passed, challenge(1))
    assert (problem.rule, problem.code) == ("DRAG-8", "must_advance")
    assert list_broken_rules(*passed, decline(1)) == ["DRAG-8"]
    assert list_broken_rules(*passed, roll(1, 6, 6)) == ["DRAG-5"]
    advanced = [*passed, move(1, 3)]
    assert list_spaces(*advanced) == [9, 16]
    assert list_offered_types(*advanced, seat=0) == ["advance", "challenge"]


def test_a_counter_lost_to_a_spin_out_counts_and_stays_used() -> None:
    """DRAG-9"""
    heat = get_running_heat(start(), *lose_challenge(0, 12), *lose_challenge(1, 11), *lose_challenge(0, 10))
    assert [car.played for car in heat.cars] == [2, 1]
    assert [car.space for car in heat.cars] == [1, 1]
    assert sorted(heat.unused) == [2, 3, 4, 5, 6, 7, 8, 9]


# Who wins a heat


def test_fewer_counters_win_in_any_order_and_on_any_space() -> None:
    """DRAG-10"""
    first = [start(), *lose_challenge(0, 9), decline(1), move(0, 11), move(1, 12), move(0, 10), move(1, 8), move(0, 2)]
    assert list_spaces(*first) == [24, 21]
    assert get_finished_heat(*first, move(1, 3)) == FinishedHeat(1, (4, 3), (24, 24))
    assert get_finished_heat(*first, move(1, 5)) == FinishedHeat(1, (4, 3), (24, 26))


@pytest.mark.parametrize(
    ("counter", "winner", "space"), [(7, 1, 23), (8, None, 24), (10, 0, 26)], ids=["nearer", "tied", "farther"]
)
def test_with_as_many_counters_the_space_nearest_to_23_wins_and_the_same_is_a_dead_heat(
    counter: int, winner: int | None, space: int
) -> None:
    """DRAG-11"""
    assert get_finished_heat(*CROSSED, move(1, counter)) == FinishedHeat(winner, (3, 3), (24, space))


def test_a_crossing_lets_the_other_drive_on_alone_up_to_as_many_counters() -> None:
    """DRAG-12, DRAG-25"""
    crossed = [
        start(), *lose_challenge(0, 9), decline(1), *lose_challenge(0, 8), decline(1), move(0, 12), move(1, 7),
        move(0, 10)
    ]  # fmt: skip
    heat = get_running_heat(*crossed)
    assert [(car.space, car.played) for car in heat.cars] == [(23, 4), (8, 1)]
    alone = [*crossed, move(1, 2)]
    assert GAME.to_act(play(*alone)) == 1
    assert list_offered_types(*alone, seat=1) == ["advance"]
    assert list_offered_types(*alone, seat=0) == []
    further = [*alone, move(1, 3)]
    assert GAME.to_act(play(*further)) == 1
    assert get_finished_heat(*further, move(1, 4)) == FinishedHeat(0, (4, 4), (23, 17))
    assert get_finished_heat(*further, move(1, 11)) == FinishedHeat(0, (4, 4), (23, 24))
    assert get_finished_heat(*crossed, move(1, 11), move(1, 4)) == FinishedHeat(1, (4, 3), (23, 23))


def test_no_counter_may_lead_beyond_26_while_another_does_not() -> None:
    """DRAG-13"""
    on_22 = [start(), move(0, 12), move(1, 2), move(0, 9), move(1, 6)]
    (problem,) = list_problems(*on_22, move(0, 5))
    assert (problem.rule, problem.field) == ("DRAG-13", "counter")
    assert problem.message() == "From space 22, counter 5 goes beyond space 26. These do not: 3, 4."
    assert list_open_counters(*on_22) == [3, 4]
    closed = {choice.value: choice.rule for choice in list_counter_choices(*on_22).choices if not choice.open}
    assert closed == {2: "DRAG-2", 6: "DRAG-2", 9: "DRAG-2", 12: "DRAG-2"} | dict.fromkeys((5, 7, 8, 10, 11), "DRAG-13")
    assert list_broken_rules(*on_22, move(0, 12)) == ["DRAG-2"]
    assert get_running_heat(*on_22, move(0, 4)).cars[0].space == 26


def test_when_every_counter_leads_beyond_26_any_may_be_played_and_breaks_the_chute() -> None:
    """DRAG-13, DRAG-22, DRAG-26, DRAG-28: the player could challenge instead, which makes no difference."""
    assert list_open_counters(*BROKEN[:-1]) == [6, 8, 9, 10, 11]
    assert list_offered_types(*BROKEN[:-1], seat=0) == ["advance", "challenge"]
    assert list_spaces(*BROKEN) == [28, 13]
    assert list_spaces(*BROKEN[:-1], move(0, 11)) == [33, 13]
    assert list_broken_rules(*BROKEN, move(1, 6)) == ["DRAG-2"]


def test_a_broken_chute_wins_when_the_other_never_crosses() -> None:
    """DRAG-14, DRAG-24"""
    assert get_finished_heat(*BROKEN_AND_BLOWN, move(1, 6)) == FinishedHeat(0, (6, 5), (30, 22))


def test_a_broken_chute_loses_to_a_car_that_crossed_before_it() -> None:
    """DRAG-14: even with fewer counters."""
    crossed = [
        start(), *lose_challenge(0, 12), decline(1), move(0, 2), move(1, 3), move(0, 9), move(1, 7), move(0, 4),
        move(1, 11), move(0, 8),
    ]  # fmt: skip
    assert list_spaces(*crossed) == [24, 22]
    assert list_open_counters(*crossed) == [5, 6, 10]
    assert get_finished_heat(*crossed, move(1, 5)) == FinishedHeat(0, (5, 4), (24, 27))


def test_two_broken_chutes_are_a_dead_heat() -> None:
    """DRAG-14, DRAG-24: whatever the counters and the spaces."""
    assert get_finished_heat(*BROKEN, move(1, 9), move(1, 8)) == FinishedHeat(None, (4, 5), (28, 30))
    assert get_finished_heat(*BROKEN, move(1, 9), move(1, 11)) == FinishedHeat(None, (4, 5), (28, 33))


def test_a_blown_engine_cannot_win_and_two_are_a_dead_heat() -> None:
    """DRAG-15, DRAG-23"""
    assert get_finished_heat(*BLOWN, move(1, 3)) == FinishedHeat(None, (5, 5), (20, 20))
    assert get_finished_heat(*LAST_COUNTER, decline(1)).winner == 0


def test_a_dead_heat_is_run_again_and_two_heats_win_the_race() -> None:
    """DRAG-16, TABLE-2"""
    dead = [*CROSSED, move(1, 8)]
    state = play(*dead)
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [0, 0]
    assert not GAME.is_finished(play(*dead, *win_quickly(1), *dead, *win_quickly(0), *dead))
    race = [*win_quickly(0), *dead, *win_quickly(1), *win_quickly(0)]
    state = play(*race)
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (0,)
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [2, 1]
    assert GAME.to_act(state) is None
    for action in (start(), move(0, 2), challenge(1), decline(0), roll(1, 1, 1), retire(0)):
        assert list_broken_rules(*race, action) == ["TABLE-2"]
    assert (GAME.ruleset().tie_procedure, GAME.tie_rule) == ("play_on", "DRAG-16")


# Rulings


def test_the_beginner_is_recorded_for_every_heat_before_anything_else() -> None:
    """DRAG-17"""
    for before in ([], win_quickly(1), [*CROSSED, move(1, 8)]):
        assert GAME.to_act(play(*before)) is None
        assert list_offered_types(*before, seat=0) == list_offered_types(*before, seat=1) == []
        assert list_offered_types(*before, seat=None) == ["start_heat"]
        for action in (move(0, 2), challenge(0), roll(1, 1, 1), decline(1)):
            assert list_broken_rules(*before, action) == ["DRAG-17"]
        assert [GAME.to_act(play(*before, start(seat))) for seat in (0, 1)] == [0, 1]
    assert list_broken_rules(start(), start()) == ["DRAG-17"]
    assert list_broken_rules(start(), move(0, 8), start(1)) == ["DRAG-17"]
    assert list_offered_types(start(), seat=None) == []
    (first,) = GAME.legal_actions(play(), None)[0].fields
    assert isinstance(first, ChoiceField)
    assert [choice.value for choice in first.choices] == [0, 1]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "start_heat", "first": 2}, "first"),
        ({"type": "start_heat", "first": -1}, "first"),
        ({"type": "start_heat", "first": True}, "first"),
        ({"type": "start_heat", "first": None}, "first"),
        ({"type": "start_heat"}, "first"),
        ({"type": "start_heat", "first": 0, "seat": 0}, "seat"),
        ({"type": "challenge"}, "seat"),
        ({"type": "pass", "seat": 2}, "seat"),
        ({"type": "challenge", "seat": 0, "counter": 8}, "counter"),
        ({"type": "advance", "seat": 0}, "counter"),
        ({"type": "advance", "seat": 0, "counter": 8, "nitro": True}, "nitro"),
        ({"type": "defend", "seat": 0, "dice": 6}, "dice"),
        ({"type": "roll", "seat": 0, "dice": [6, 6]}, "type"),
    ],
)
def test_what_is_no_action_of_the_race_cannot_be_read(action: Action, field: str) -> None:
    """DRAG-17: an action with an extra or missing field is malformed; `first` is one of the two seats."""
    assert get_malformed_field(action) == f"actions[0].{field}"


def test_only_the_move_of_the_turn_just_before_is_challenged() -> None:
    """DRAG-18"""
    (problem,) = list_problems(start(), challenge(0))
    assert (problem.rule, problem.code) == ("DRAG-18", "nothing_to_challenge")
    assert list_broken_rules(start(), *lose_challenge(0, 8), decline(1), challenge(0)) == ["DRAG-18"]
    assert list_broken_rules(start(), move(0, 8), move(1, 7), *lose_challenge(0, 6), decline(1), challenge(0)) == [
        "DRAG-18"
    ]
    assert list_broken_rules(*CROSSED, challenge(1), roll(0, 1, 1), decline(1), challenge(0)) == ["DRAG-18"]


def test_a_move_is_challenged_only_once() -> None:
    """DRAG-18"""
    for dice in ((1, 1), (6, 6)):
        answered = [start(), move(0, 8), challenge(1), roll(0, *dice)]
        assert [problem.code for problem in list_problems(*answered, challenge(1))] == ["challenged_already"]
        assert list_broken_rules(*answered, challenge(1)) == ["DRAG-18"]


def test_a_move_made_after_a_challenge_is_challenged_like_any_other() -> None:
    """DRAG-18: after a spin-out, after giving up the nitro die, and after a pass."""
    spun_out = [start(), *lose_challenge(0, 8), move(1, 12)]
    assert list_spaces(*spun_out, challenge(0), roll(1, 1, 1)) == [1, 1]
    turned_in = [start(), move(0, 8), challenge(1), roll(0, 4, 4), move(1, 12)]
    assert list_spaces(*turned_in, challenge(0), roll(1, 1, 1)) == [9, 1]
    passed = [start(), move(0, 8), challenge(1), roll(0, 4, 4), decline(1), move(0, 12)]
    assert list_spaces(*passed, challenge(1), roll(0, 1, 1)) == [9, 1]


def test_a_crossing_that_spins_out_has_not_crossed() -> None:
    """DRAG-19"""
    spun_out = [*CROSSED, challenge(1), roll(0, 4, 4)]
    assert list_spaces(*spun_out) == [15, 16]
    assert list_offered_types(*spun_out, seat=1) == ["advance", "pass"]
    assert get_finished_heat(*spun_out, move(1, 7)) == FinishedHeat(1, (3, 3), (15, 23))
    races_on = [*spun_out, move(1, 3), move(0, 10)]
    assert list_spaces(*races_on) == [25, 19]
    assert GAME.to_act(play(*races_on)) == 1
    assert get_finished_heat(*spun_out, decline(1), move(0, 3), move(1, 7)) == FinishedHeat(1, (4, 3), (18, 23))


def test_moves_of_a_player_who_drives_on_alone_are_not_challenged() -> None:
    """DRAG-19, DRAG-24: the player who crossed has no turn, and a crossing cannot be challenged later."""
    alone = [*BROKEN, move(1, 9)]
    assert GAME.to_act(play(*alone)) == 1
    assert list_broken_rules(*alone, challenge(0)) == ["TABLE-1"]
    assert list_broken_rules(*alone, challenge(1)) == ["DRAG-18"]
    assert list_broken_rules(*alone, decline(1)) == ["DRAG-3"]


def test_after_a_crossing_that_holds_and_a_pass_the_challenger_must_advance() -> None:
    """DRAG-20"""
    held = [*CROSSED, challenge(1), roll(0, 4, 5)]
    assert list_offered_types(*held, seat=1) == ["advance", "pass"]
    passed = [*held, decline(1)]
    assert GAME.to_act(play(*passed)) == 1
    assert list_offered_types(*passed, seat=1) == ["advance"]
    assert list_offered_types(*passed, seat=0) == []
    assert [problem.rule for problem in list_problems(*passed, challenge(1))] == ["DRAG-20"]
    assert list_broken_rules(*passed, decline(1)) == ["DRAG-20"]
    assert list_broken_rules(*passed, move(0, 3)) == ["TABLE-1"]
    assert get_finished_heat(*passed, move(1, 7)) == FinishedHeat(1, (3, 3), (24, 23))
    assert get_finished_heat(*held, move(1, 7)) == FinishedHeat(1, (3, 3), (24, 23))


def test_an_intact_crossing_with_equal_counters_ends_the_heat_at_once() -> None:
    """DRAG-21"""
    assert get_finished_heat(*win_quickly(0)) == FinishedHeat(0, (2, 2), (23, 6))
    assert list_broken_rules(*win_quickly(0), challenge(1)) == ["DRAG-17"]
    more = [
        start(),
        *lose_challenge(0, 8),
        *lose_challenge(1, 7),
        *lose_challenge(0, 6),
        decline(1),
        *lose_challenge(0, 5),
        move(1, 12),
        move(0, 2),
    ]
    assert get_finished_heat(*more, move(1, 10)) == FinishedHeat(1, (4, 3), (3, 23))


def test_a_broken_chute_never_ends_a_heat_by_the_number_of_counters() -> None:
    """DRAG-21, DRAG-24"""
    as_many = [
        start(), move(0, 3), move(1, 2), move(0, 4), move(1, 7), move(0, 5), move(1, 12), move(0, 8), move(1, 6)
    ]  # fmt: skip
    heat = get_running_heat(*as_many)
    assert [(car.space, car.played) for car in heat.cars] == [(21, 4), (28, 4)]
    assert list_offered_types(*as_many, seat=0) == ["advance", "challenge"]
    assert list_spaces(*as_many, challenge(0), roll(1, 2, 3)) == [21, 22]
    assert get_finished_heat(*as_many, move(0, 9)) == FinishedHeat(None, (5, 4), (30, 28))


def test_an_engine_is_blown_below_23_and_not_at_23() -> None:
    """DRAG-23: while the other's engine is blown, a car on 20 reaches the line with a 3 but not with a 2."""
    assert list_offered_types(*BLOWN, move(1, 2), seat=0) == ["advance", "challenge"]
    assert get_finished_heat(*BLOWN, move(1, 3)) == FinishedHeat(None, (5, 5), (20, 20))


def test_two_engines_blown_by_a_spin_out_end_the_heat_before_the_challenger_advances() -> None:
    """DRAG-23"""
    assert get_finished_heat(*BLOWN, challenge(1), roll(0, 3, 4)) == FinishedHeat(None, (5, 4), (12, 17))


def test_a_player_with_a_blown_engine_takes_turns_as_before() -> None:
    """DRAG-23"""
    assert list_offered_types(*BLOWN, seat=1) == ["advance", "challenge"]
    assert list_offered_types(*BLOWN, challenge(1), roll(0, 4, 4), seat=1) == ["advance", "pass"]


def test_behind_a_broken_chute_an_intact_crossing_wins_whatever_the_counters() -> None:
    """DRAG-24"""
    assert get_finished_heat(*BROKEN, move(1, 10)) == FinishedHeat(1, (4, 4), (28, 23))
    tied = [*BROKEN, move(1, 8)]
    assert GAME.to_act(play(*tied)) == 1
    assert [car.played for car in get_running_heat(*tied).cars] == [4, 4]


def test_a_blown_engine_loses_when_the_right_to_challenge_is_gone() -> None:
    """DRAG-25: the challenge comes first, and succeeds, fails, or is not made."""
    crossed = [*BLOWN, challenge(1), roll(0, 4, 4), decline(1), move(0, 3)]
    assert list_spaces(*crossed) == [23, 17]
    assert list_offered_types(*crossed, seat=1) == ["advance", "challenge"]
    assert get_finished_heat(*crossed, move(1, 2)) == FinishedHeat(0, (6, 5), (23, 19))
    assert get_finished_heat(*crossed, challenge(1), roll(0, 1, 2)) == FinishedHeat(0, (6, 4), (23, 17))
    assert get_finished_heat(*crossed, challenge(1), roll(0, 1, 1)) == FinishedHeat(None, (6, 4), (20, 17))


def test_a_broken_chute_wins_over_a_blown_engine_once_its_roll_holds() -> None:
    """DRAG-25, DRAG-14"""
    assert get_finished_heat(*BROKEN_AND_BLOWN, challenge(1), roll(0, 4, 4)) == FinishedHeat(0, (6, 4), (30, 16))
    spun_out = [*BROKEN_AND_BLOWN, challenge(1), roll(0, 3, 4)]
    assert list_spaces(*spun_out) == [22, 16]
    assert get_finished_heat(*spun_out, move(1, 6)) == FinishedHeat(None, (6, 5), (22, 22))
    assert get_finished_heat(*spun_out, decline(1), move(0, 6), decline(1)) == FinishedHeat(0, (7, 4), (28, 16))


def test_without_a_counter_a_player_challenges_or_passes() -> None:
    """DRAG-27, TABLE-4"""
    assert list_offered_types(*LAST_COUNTER, seat=1) == ["challenge", "pass"]
    (problem,) = list_problems(*LAST_COUNTER, move(1, 5))
    assert (problem.rule, problem.code) == ("DRAG-27", "no_counter_left")
    assert get_finished_heat(*LAST_COUNTER, decline(1)) == FinishedHeat(0, (6, 5), (23, 19))
    assert get_finished_heat(*LAST_COUNTER, challenge(1), roll(0, 1, 2)) == FinishedHeat(0, (6, 5), (23, 19))
    assert get_finished_heat(*LAST_COUNTER, challenge(1), roll(0, 1, 1)) == FinishedHeat(None, (6, 5), (20, 19))


# Every game's clauses


def test_while_a_roll_is_due_nothing_else_is_possible() -> None:
    """TABLE-1"""
    challenged = [start(), move(0, 8), challenge(1)]
    for action in (move(0, 3), challenge(0), decline(0)):
        (problem,) = list_problems(*challenged, action)
        assert (problem.rule, problem.code) == ("TABLE-1", "roll_due")
        assert problem.message() == "The move of 8 has been challenged. Roll for it first."
    assert list_broken_rules(*challenged, start()) == ["TABLE-1"]
    for action in (move(1, 3), challenge(1), decline(1), roll(1, 6, 6)):
        assert list_broken_rules(*challenged, action) == ["TABLE-1"]
    assert list_offered_types(*challenged, seat=0) == ["defend"]
    assert list_offered_types(*challenged, seat=1) == list_offered_types(*challenged, seat=None) == []


def test_the_seats_take_turns() -> None:
    """TABLE-1"""
    assert list_broken_rules(start(), move(1, 8)) == ["TABLE-1"]
    assert list_broken_rules(start(1), move(0, 8)) == ["TABLE-1"]
    assert list_broken_rules(start(), move(0, 8), move(0, 7)) == ["TABLE-1"]


@pytest.mark.parametrize(
    "before",
    [[], [start()], [start(), move(0, 8), challenge(1)], CROSSED, win_quickly(1), LAST_COUNTER],
    ids=["before the race", "first turn", "roll due", "crossed", "between heats", "no counter"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_when_a_seat_retires_the_other_has_won_the_race(before: list[Action], seat: int) -> None:
    """TABLE-3"""
    state = play(*before, retire(seat))
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (1 - seat,)
    assert GAME.ranking(state).groups == ((1 - seat,), (seat,))
    assert GAME.to_act(state) is None
    assert state.heats == play(*before).heats
    assert [GAME.standing(state, n).status for n in (seat, 1 - seat)] == ["retired", "done"]
    assert list_broken_rules(*before, retire(seat), retire(1 - seat)) == ["TABLE-2"]


def test_a_retired_seat_ranks_below_one_that_won_fewer_heats() -> None:
    """TABLE-3"""
    state = play(*win_quickly(1), start(), retire(1))
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [0, 1]
    assert GAME.winners(state) == (0,)


def combine(*races: tuple[list[Action], int]) -> Standing:
    """Return the standing of a driver from several races, each with the driver's seat in it."""
    return GAME.combine([GAME.standing(play(*actions), seat) for actions, seat in races])


def test_several_races_are_ranked_by_races_won_and_then_by_the_difference_of_heats() -> None:
    """DRAG-29"""
    two_nil, one_nil = win_quickly(0) * 2, win_quickly(0)
    two_one = [*win_quickly(1), *win_quickly(0), *win_quickly(0)]
    dead_heat = [*CROSSED, move(1, 8)]
    assert combine((two_nil, 0)) == Standing(1, (1, 2), "done")
    assert combine((two_nil, 1)) == Standing(0, (0, -2), "done")
    assert combine((two_one, 0), (one_nil, 0)) == Standing(1, (1, 2), "playing")
    assert combine((two_one, 1), (dead_heat, 0)) == Standing(0, (0, -1), "playing")
    # One race won counts more than any number of heats in races that are lost or not finished.
    one_race = combine((two_one, 0), (two_nil, 1), (two_nil, 1))
    no_race = combine((one_nil, 0), (one_nil, 0), (one_nil, 0))
    assert (one_race.total, one_race.key, no_race.total, no_race.key) == (1, (1, -3), 0, (0, 3))
    assert one_race.order > no_race.order
    # With the same number of races, the difference of heats decides; if that is the same too, they are tied.
    assert combine((two_nil, 0), (two_one, 1)).order > combine((two_one, 0), (two_one, 1)).order
    assert combine((two_nil, 0), (two_nil, 1)).order == combine((two_one, 0), (two_one, 1)).order


def test_a_race_that_the_other_left_is_a_race_won() -> None:
    """DRAG-29, TABLE-3: with the heats that were run until then."""
    left = [*win_quickly(1), start(), retire(1)]
    assert combine((left, 0)) == Standing(1, (1, -1), "done")
    assert combine((left, 1)) == Standing(0, (0, 1), "retired")
    assert combine(([retire(0)], 1)) == Standing(1, (1, 0), "done")


def test_a_driver_who_left_some_races_has_not_retired() -> None:
    """TABLE-3"""
    won, left, runs = (win_quickly(0) * 2, 0), ([*win_quickly(0), retire(0)], 0), (win_quickly(0), 0)
    assert combine(left, won).status == "done"
    assert combine(left, runs, won).status == "playing"
    assert combine(left, left) == Standing(0, (0, 2), "retired")


def test_random_races_are_combined_as_the_clause_says() -> None:
    """DRAG-29: a count from what transcripts say about each race."""
    random = Random(29)
    states = [step.after for _ in range(40) for step in list(drive(random))[-1 - random.randrange(3) :][:1]]
    for _ in range(200):
        races = [(random.choice(states), random.randrange(2)) for _ in range(random.randint(1, 5))]
        heats = [(seat, heat["winner"]) for state, seat in races for heat in GAME.extra_results(state)["heats"]]
        won = sum(seat in GAME.winners(state) for state, seat in races)
        margin = sum(winner == seat for seat, winner in heats) - sum(winner == 1 - seat for seat, winner in heats)
        combined = GAME.combine([GAME.standing(state, seat) for state, seat in races])
        assert (combined.total, combined.key) == (won, (won, margin))


def test_the_sheet_shows_the_latest_heat_and_the_heats_won() -> None:
    """DRAG-1, DRAG-5, DRAG-9, DRAG-16"""

    def cells(*actions: Action) -> dict[str, list[int | None]]:
        return {line.key: [cell.points for cell in line.cells] for line in GAME.sheet(play(*actions)).lines}

    nothing = [None, None]
    assert cells() == {
        "space": nothing, "played": nothing, "nitro": nothing,
        "heat_1": nothing, "heat_2": nothing, "heat_3": nothing, "heats_won": [0, 0],
    }  # fmt: skip
    dead = [*CROSSED, move(1, 8)]
    assert cells(*dead, *win_quickly(1)) == {
        "space": [6, 23], "played": [2, 2], "nitro": nothing,
        "heat_1": [0, 1], "heat_2": nothing, "heat_3": nothing, "heats_won": [0, 1],
    }  # fmt: skip
    assert cells(*win_quickly(1), *dead, *win_quickly(0), start(), move(0, 8), challenge(1), roll(0, 3, 3, 3)) == {
        "space": [9, 1], "played": [1, 0], "nitro": [0, 1],
        "heat_1": [0, 1], "heat_2": [1, 0], "heat_3": nothing, "heats_won": [1, 1],
    }  # fmt: skip
