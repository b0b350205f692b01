"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

import pytest

from games.rogue import GAME
from tests.games.rogue.table import (
    BANK,
    RETIRE,
    by_seat,
    get_malformed_field,
    get_turn_points,
    keep,
    list_broken_rules,
    list_offered_types,
    list_picks,
    list_problems,
    pass_without_points,
    play,
    roll,
    turn,
)

SIX_ROGUES = ("C22345 C", "C2234 C", "C223 C", "C22 C", "C2 C", "C C")


# The turn


def test_the_dice_show_2_to_6_and_a_critter() -> None:
    """ROGUE-1"""
    play(by_seat(0, roll("C23456")))
    for face in (1, 7, "c", "", "2", 2.0, True, None):
        bad = {"seat": 0, "type": "roll", "dice": [2, 2, face, 4, 5, 6]}
        assert get_malformed_field([bad]) == "actions[0].dice[2]"


def test_at_least_two_play_and_the_turn_goes_round_from_seat_0() -> None:
    """ROGUE-1"""
    assert GAME.seat_limits == (2, None)
    state = play(seats=3)
    for seat in (0, 1, 2, 0):
        assert GAME.to_act(state) == seat
        for data in pass_without_points(seat):
            state = GAME.play(state, state.ruleset.read_action(data, 3))


@pytest.mark.parametrize("dice", ["", "2", "22345", "2233455"])
def test_a_turn_begins_by_rolling_all_six_dice(dice: str) -> None:
    """ROGUE-2"""
    assert [(p.rule, p.field) for p in list_problems(by_seat(0, roll(dice)))] == [("ROGUE-2", "dice")]
    play(by_seat(0, roll("223345")))


def test_a_further_roll_takes_all_the_dice_that_are_left() -> None:
    """ROGUE-2"""
    first = turn(0, "C22456 22C")
    for wrong in ("", "34", "3456", "C22456"):
        (problem,) = list_problems(first, by_seat(0, roll(wrong)))
        assert (problem.rule, problem.code) == ("ROGUE-2", "wrong_count")
        assert problem.message().startswith("3 dice are left to roll, all at once.")
    assert play(first, by_seat(0, roll("446"))).turn.left == 3


def test_after_each_roll_dice_are_set_aside_before_anything_else() -> None:
    """ROGUE-2"""
    (problem,) = list_problems(by_seat(0, roll("C22456"), roll("C22456")))
    assert (problem.rule, problem.code) == ("ROGUE-2", "keep_first")
    assert "2, 2, C" in problem.message()
    assert list_offered_types(play(by_seat(0, roll("C22456"))), 0) == ["keep", "retire"]


def test_at_least_one_die_is_set_aside() -> None:
    """ROGUE-2"""
    (problem,) = list_problems(by_seat(0, roll("C22456"), keep("")))
    assert (problem.rule, problem.code, problem.field) == ("ROGUE-2", "nothing_kept", "dice")


def test_dice_are_set_aside_once_a_roll_and_only_after_one() -> None:
    """ROGUE-2"""
    assert [p.code for p in list_problems(turn(0, "224455 22"), by_seat(0, keep("44")))] == ["kept_already"]
    assert list_broken_rules(turn(0, "224455 22"), by_seat(0, keep("22"))) == ["ROGUE-2"]
    assert [p.code for p in list_problems(by_seat(0, keep("22")))] == ["nothing_rolled"]
    assert list_broken_rules(pass_without_points(0), by_seat(1, keep("22"))) == ["ROGUE-2"]


def test_a_roll_without_a_set_or_a_rogue_ends_the_turn_and_loses_nothing() -> None:
    """ROGUE-3"""
    state = play(turn(0, "C22456 22C", "446 44", "3"))
    assert (state.scores, GAME.to_act(state)) == ((16, 0), 1)
    assert list_broken_rules(turn(0, "C22456 22C", "345"), by_seat(0, BANK)) == ["TABLE-1"]


@pytest.mark.parametrize(
    ("face", "points"),
    [
        ("2", (4, 20, 100, 500, 1300)),
        ("3", (6, 30, 150, 600, 1300)),
        ("4", (8, 40, 200, 700, 1300)),
        ("5", (10, 50, 250, 800, 1300)),
        ("6", (12, 60, 300, 900, 1300)),
        ("C", (15, 75, 350, 1000, 1500)),
    ],
)
def test_a_set_gives_what_the_chart_says(face: str, points: tuple[int, ...]) -> None:
    """ROGUE-4"""
    others = "23456".replace(face, "")
    for alike, worth in zip(range(2, 7), points, strict=True):
        assert get_turn_points(f"{face * alike}{others[: 6 - alike]} {face * alike}") == worth


def test_each_roll_is_scored_by_itself() -> None:
    """ROGUE-4: the worked example of the printed rules, two pairs of fours."""
    assert get_turn_points("442356 44", "4435 44") == 16
    assert get_turn_points("442233 4422") == 12


def test_scoring_dice_may_be_left_and_are_rolled_again() -> None:
    """ROGUE-5: the worked example of the printed rules, two fives and two twos."""
    state = play(turn(0, "552234 55", "3333 3333"))
    assert state.scores[0] == 10 + 150
    assert list_picks("552234") == {"2255": 14, "55": 10, "22": 4}


def test_only_dice_showing_on_the_last_roll_can_be_set_aside() -> None:
    """ROGUE-6"""
    for wrong in ("33", "222", "22CC", "222222222", "44"):
        (problem,) = list_problems(by_seat(0, roll("C22456"), keep(wrong)))
        assert (problem.rule, problem.code, problem.field) == ("ROGUE-6", "not_on_table", "dice")
    (problem,) = list_problems(turn(0, "224455 22", "6644"), by_seat(0, keep("22")))
    assert problem.message() == "These dice are not showing, or not that many of them: 2. Showing: 4, 4, 6, 6."


def test_a_rogue_doubles_what_is_set_aside_with_it() -> None:
    """ROGUE-7: on its own roll, and on no other."""
    assert get_turn_points("C22456 22C") == 8
    assert get_turn_points("C22456 22") == 4
    assert get_turn_points("C22456 22C", "446 44") == 8 + 8
    assert get_turn_points("224456 22", "C446 44C") == 4 + 16


def test_a_rogue_on_the_last_die_doubles_the_whole_turn() -> None:
    """ROGUE-8, ROGUE-21"""
    assert get_turn_points("333562 333", "556 55", "C C") == 2 * (30 + 10)
    assert get_turn_points("C22456 22C", "66C 66", "C C") == 2 * (8 + 12)
    assert get_turn_points("333562 333", "556 55", "5") == 40
    assert list_picks("333562 333", "556 55", "C") == {"C": 40}


def test_a_rogue_on_the_last_die_is_set_aside_like_any_other() -> None:
    """ROGUE-21: the turn is doubled only when the die is set aside, and the die cannot be left."""
    state = play(turn(0, "55555C 55555", "C"))
    assert (GAME.to_act(state), state.turn.points, list_offered_types(state, 0)) == (0, 800, ["keep", "retire"])
    assert list_broken_rules(turn(0, "55555C 55555", "C"), by_seat(0, BANK)) == ["ROGUE-22"]
    assert list_broken_rules(turn(0, "55555C 55555", "C"), by_seat(0, keep(""))) == ["ROGUE-2"]


def test_a_rogue_may_be_set_aside_alone_and_scores_nothing() -> None:
    """ROGUE-9"""
    state = play(turn(0, "C22456 C"))
    assert (state.turn.points, state.turn.left, GAME.to_act(state)) == (0, 5, 0)
    assert get_turn_points("C22456 C") == 0
    assert get_turn_points("C22456 C", "33332 3333") == 150
    assert list_picks("C22456") == {"22C": 8, "22": 4, "C": 0}


def test_two_critters_or_more_are_a_set_and_no_rogue() -> None:
    """ROGUE-10"""
    assert get_turn_points("CC2245 CC22") == 15 + 4
    assert get_turn_points("CCC224 CCC") == 75
    assert list_picks("CC2245") == {"22CC": 19, "CC": 15, "22": 4}
    assert list_broken_rules(by_seat(0, roll("CC2245"), keep("22C"))) == ["ROGUE-17"]


def test_a_run_gives_250() -> None:
    """ROGUE-11"""
    assert get_turn_points("C23456 C23456") == 250
    assert get_turn_points("465C32 23456C") == 250


# The war, and who wins

ALL_SIX = "C22222 C22222"  # 1,000 points


def test_in_the_war_all_six_dice_earn_an_additional_turn_and_again() -> None:
    """ROGUE-12"""
    state = play(turn(0, ALL_SIX), war_at=1000)
    assert (GAME.to_act(state), state.scores, state.turn) == (0, (1000, 0), play().turn)
    state = play(turn(0, ALL_SIX, ALL_SIX), war_at=1000, target=9999)
    assert (GAME.to_act(state), state.scores) == (0, (2000, 0))
    state = play(turn(0, ALL_SIX, "C22345 22", "C345 C", "345"), war_at=1000)
    assert (GAME.to_act(state), state.scores) == (1, (1004, 0))


def test_the_war_applies_to_all_players() -> None:
    """ROGUE-12"""
    six_dice = turn(1, "223344 223344")
    assert GAME.to_act(play(pass_without_points(0), six_dice, war_at=1000)) == 0
    at_war = turn(0, "C22222 C2222", "2")  # 200 points
    assert GAME.to_act(play(at_war, six_dice, war_at=200)) == 1
    assert GAME.to_act(play(at_war, six_dice, war_at=201)) == 0


def test_before_the_war_six_dice_earn_nothing_more() -> None:
    """ROGUE-12"""
    state = play(turn(0, "CCCCCC CCCCCC"))
    assert (state.scores[0], GAME.to_act(state)) == (1500, 1)


def test_five_dice_earn_no_additional_turn() -> None:
    """ROGUE-12, ROGUE-22"""
    assert GAME.to_act(play(turn(0, "222223 22222", "3"), war_at=1)) == 1
    assert GAME.to_act(play(turn(0, "222223 22222", "bank"), war_at=1)) == 1


def test_a_rogue_set_aside_alone_costs_the_additional_turn() -> None:
    """ROGUE-12"""
    for spoiled in (("C22345 C", "22222 22222"), ("222345 222", "C45 C", "44 44"), ("222245 2222", "C4 C", "C C")):
        assert GAME.to_act(play(turn(0, *spoiled), war_at=1)) == 1
    spoiled_once = ("C22345 C", "22222 22222")
    state = play(turn(0, "223344 223344", *spoiled_once), pass_without_points(1), turn(0, "223344 223344"), war_at=1)
    assert GAME.to_act(state) == 0


def test_a_rogue_that_doubles_is_part_of_the_score_and_does_not_cost_the_additional_turn() -> None:
    """ROGUE-18, ROGUE-12, ROGUE-21"""
    assert get_turn_points("C22334 C2233") == 20
    assert GAME.to_act(play(turn(0, "C22335 C2233", "C C"), war_at=1)) == 0
    assert GAME.to_act(play(turn(0, "222224 22222", "C C"), war_at=1)) == 0
    assert GAME.to_act(play(turn(0, "222225 2222", "C5 C", "C C"), war_at=1)) == 1


def test_with_2000_points_the_others_finish_the_round() -> None:
    """ROGUE-13"""
    two_thousand = turn(1, "CCCCCC CCCCCC", "222224 22222", "3")
    state = play(pass_without_points(0), two_thousand, seats=3, war_at=1500)
    assert (state.scores, GAME.to_act(state)) == ((0, 2000, 0), 2)
    state = play(pass_without_points(0), two_thousand, pass_without_points(2), seats=3, war_at=1500)
    assert GAME.is_finished(state)
    assert (GAME.winners(state), GAME.to_act(state)) == ((1,), None)


def test_one_point_less_plays_on() -> None:
    """ROGUE-13"""
    assert not GAME.is_finished(play(turn(0, "C23456 C23456"), pass_without_points(1), target=251))
    assert GAME.is_finished(play(turn(0, "C23456 C23456"), pass_without_points(1), target=250))


def test_the_most_points_of_the_last_round_win_not_the_first_to_get_there() -> None:
    """ROGUE-13"""
    state = play(turn(0, "C23456 C23456"), turn(1, "66662C 6666", "bank"), target=250)
    assert state.scores == (250, 300)
    assert (GAME.winners(state), GAME.ranking(state).groups) == ((1,), ((1,), (0,)))


def test_a_shared_lead_plays_another_round_for_all_until_one_leads() -> None:
    """ROGUE-14"""
    tied = [*turn(0, "C23456 C23456"), *turn(1, "C23456 C23456"), *pass_without_points(2)]
    state = play(tied, seats=3, target=250)
    assert (GAME.is_finished(state), GAME.to_act(state), GAME.winners(state)) == (False, 0, ())
    again = [*turn(0, "223456 22", "bank"), *turn(1, "223456 22", "bank")]
    state = play(tied, again, pass_without_points(2), seats=3, target=250)
    assert (GAME.is_finished(state), GAME.to_act(state), state.scores) == (False, 0, (254, 254, 0))
    assert not GAME.is_finished(
        play(tied, again, pass_without_points(2), turn(0, "66662C 6666", "bank"), seats=3, target=250)
    )
    state = play(
        tied,
        again,
        pass_without_points(2),
        turn(0, "332456 33", "bank"),
        pass_without_points(1, 2),
        seats=3,
        target=250,
    )
    assert (GAME.winners(state), state.scores) == ((0,), (260, 254, 0))
    state = play(tied, pass_without_points(0, 1), turn(2, "66662C 6666", "bank"), seats=3, target=250)
    assert (GAME.winners(state), state.scores) == ((2,), (250, 250, 300))


def test_a_tie_behind_the_leader_ends_the_game_and_stays() -> None:
    """ROGUE-14"""
    state = play(turn(0, "C23456 C23456"), pass_without_points(1), pass_without_points(2), seats=3, target=250)
    assert GAME.ranking(state).groups == ((0,), (1, 2))


def test_six_rogues_in_a_row_win_at_once() -> None:
    """ROGUE-15, ROGUE-24"""
    state = play(
        turn(0, "CCCCCC CCCCCC"),
        pass_without_points(1),
        pass_without_points(2),
        pass_without_points(0),
        turn(1, *SIX_ROGUES),
        seats=3,
    )
    assert (GAME.winners(state), GAME.ranking(state).groups) == ((1,), ((1,), (0,), (2,)))
    assert (state.scores, GAME.to_act(state)) == ((1500, 0, 0), None)


# Rulings


def test_dice_of_one_number_from_one_roll_are_one_set_and_never_one_die() -> None:
    """ROGUE-16"""
    assert get_turn_points("222233 2222") == 100
    assert get_turn_points("222233 222") == 20
    assert get_turn_points("222233 22") == 4
    assert list_picks("222233") == {"222233": 106, "2222": 100, "22233": 26, "222": 20, "2233": 10, "33": 6, "22": 4}
    for alone in ("2", "3", "223", "22223"):
        (problem,) = list_problems(by_seat(0, roll("222233"), keep(alone)))
        assert (problem.rule, problem.code, problem.field) == ("ROGUE-16", "lone_number", "dice")
    assert list_broken_rules(by_seat(0, roll("C22456"), keep("C4"))) == ["ROGUE-16"]
    assert list_broken_rules(by_seat(0, roll("C22456"), keep("2C"))) == ["ROGUE-16"]


def test_a_message_about_a_lone_number_says_what_could_be_set_aside() -> None:
    """ROGUE-16"""
    (problem,) = list_problems(by_seat(0, roll("C22456"), keep("2245")))
    assert problem.message() == "One die of a number scores nothing: 4, 5. Set aside 2, 2, C, for example."


def test_of_two_critters_or_more_never_one_alone_is_set_aside() -> None:
    """ROGUE-17"""
    assert get_turn_points("CCC224 CC") == 15
    assert get_turn_points("CCC224 CC22") == 19
    for one in ("C", "22C"):
        (problem,) = list_problems(by_seat(0, roll("CCC224"), keep(one)))
        assert (problem.rule, problem.code, problem.field) == ("ROGUE-17", "lone_critter", "dice")
    assert list_broken_rules(by_seat(0, roll("CCC224"), keep("C4"))) == ["ROGUE-17", "ROGUE-16"]
    assert list_broken_rules(turn(0, "222234 2222"), by_seat(0, roll("CC"), keep("C"))) == ["ROGUE-17"]


def test_a_rogue_doubles_every_set_of_its_roll() -> None:
    """ROGUE-18"""
    assert get_turn_points("C22333 C22333") == 2 * (4 + 30)
    assert list_picks("C22334") == {"2233C": 20, "33C": 12, "2233": 10, "22C": 8, "33": 6, "22": 4, "C": 0}


def test_a_run_is_scored_only_whole_and_not_doubled() -> None:
    """ROGUE-19"""
    assert list_picks("C23456") == {"23456C": 250, "C": 0}
    for part in ("23456", "C2", "C3456", "5", "C2345"):
        (problem,) = list_problems(by_seat(0, roll("C23456"), keep(part)))
        assert (problem.rule, problem.code, problem.field) == ("ROGUE-19", "broken_run", "dice")
    assert list_broken_rules(by_seat(0, roll("C23456"), keep("22"))) == ["ROGUE-6"]
    assert GAME.to_act(play(turn(0, "C23456 C23456"), war_at=250)) == 0


def test_the_critter_of_a_run_may_be_set_aside_alone_instead() -> None:
    """ROGUE-20"""
    state = play(turn(0, "C23456 C"))
    assert state.turn == (0, 5, (), 1)
    assert get_turn_points("C23456 C", "22222 22222") == 500


def test_a_turn_ends_with_the_last_die_or_by_banking_after_dice_are_set_aside() -> None:
    """ROGUE-22"""
    assert GAME.to_act(play(turn(0, "223344 223344"))) == 1
    state = play(turn(0, "224456 22", "bank"))
    assert (state.scores, GAME.to_act(state)) == ((4, 0), 1)
    assert [(p.rule, p.code) for p in list_problems(by_seat(0, BANK))] == [("ROGUE-22", "bank_before_roll")]
    (problem,) = list_problems(by_seat(0, roll("224456"), BANK))
    assert (problem.rule, problem.code) == ("ROGUE-22", "bank_before_keep")
    assert list_broken_rules(turn(0, "224456 22", "4456"), by_seat(0, BANK)) == ["ROGUE-22"]
    assert list_broken_rules(turn(0, "223344 223344"), by_seat(1, BANK)) == ["ROGUE-22"]
    assert list_broken_rules(turn(0, "223344 223344"), by_seat(0, BANK), war_at=1) == ["ROGUE-22"]


def test_points_are_added_when_the_turn_ends() -> None:
    """ROGUE-23"""
    running = turn(0, "666662 66666")
    state = play(running)
    assert (state.scores, state.turn.points) == ((0, 0), 900)
    assert play(running, by_seat(0, BANK)).scores == (900, 0)


def test_the_turn_that_reaches_1812_with_all_six_dice_earns_an_additional_turn_itself() -> None:
    """ROGUE-23"""
    almost = [*turn(0, "CCCCCC CCCCCC"), *pass_without_points(1)]
    state = play(almost, turn(0, "666623 6666", "66 66"))
    assert (state.scores[0], GAME.to_act(state)) == (1812, 0)
    state = play(almost, turn(0, "666623 6666", "55 55"))
    assert (state.scores[0], GAME.to_act(state)) == (1810, 1)


def test_points_doubled_by_the_last_rogue_count_for_the_war() -> None:
    """ROGUE-23: 900 set aside, and 900 more by a rogue on the last die."""
    state = play(turn(0, "666662 66666", "C C"), war_at=1800)
    assert (state.scores[0], GAME.to_act(state)) == (1800, 0)
    assert GAME.to_act(play(turn(0, "666662 66666", "C C"), war_at=1801)) == 1


def test_rogue_out_takes_six_rolls_with_a_rogue_alone_each() -> None:
    """ROGUE-24"""
    assert not GAME.is_finished(play(turn(0, *SIX_ROGUES[:5], "C")))
    assert GAME.is_finished(play(turn(0, *SIX_ROGUES)))
    state = play(turn(0, *SIX_ROGUES[:5], "2"))
    assert (state.scores, GAME.to_act(state)) == ((0, 0), 1)
    # With a pair set aside in between it is only a doubled turn.
    state = play(turn(0, *SIX_ROGUES[:3], "C22 22", "C C"))
    assert (state.scores, GAME.is_finished(state)) == ((8, 0), False)
    assert not GAME.is_finished(play(turn(0, "CCCCCC CCCCCC")))


def test_rogues_are_in_a_row_only_within_one_turn() -> None:
    """ROGUE-24"""
    state = play(turn(0, *SIX_ROGUES[:5], "2"), pass_without_points(1), turn(0, "C22345 C"))
    assert (GAME.is_finished(state), state.turn.rogues) == (False, 1)


def test_rogue_out_counts_in_an_additional_turn_and_when_others_have_2000() -> None:
    """ROGUE-24, ROGUE-26"""
    state = play(turn(0, "C23456 C23456", *SIX_ROGUES), war_at=250)
    assert (GAME.winners(state), state.scores) == ((0,), (250, 0))
    state = play(turn(0, "CCCCCC CCCCCC"), turn(1, *SIX_ROGUES), target=1000)
    assert (GAME.winners(state), GAME.ranking(state).groups) == ((1,), ((1,), (0,)))
    tied = [*turn(0, "C23456 C23456"), *turn(1, "C23456 C23456")]
    assert GAME.winners(play(tied, pass_without_points(0), turn(1, *SIX_ROGUES), target=250)) == (1,)


def test_reaching_2000_does_not_cut_additional_turns_short() -> None:
    """ROGUE-25"""
    state = play(pass_without_points(0), turn(1, "CCCCCC CCCCCC", ALL_SIX), war_at=1500)
    assert (state.scores, GAME.to_act(state), GAME.is_finished(state)) == ((0, 2500), 1, False)
    state = play(pass_without_points(0), turn(1, "CCCCCC CCCCCC", ALL_SIX, "223345 22", "bank"), war_at=1500)
    assert (state.scores, GAME.winners(state)) == ((0, 2504), (1,))


def test_additional_turns_belong_to_the_same_turn_of_the_round() -> None:
    """ROGUE-25"""
    more = turn(0, "223344 223344", "223344 223344", "223345 22", "bank")
    state = play(more, war_at=1)
    assert GAME.to_act(state) == 1
    assert GAME.to_act(play(more, pass_without_points(1), war_at=1)) == 0


def test_an_additional_turn_is_taken_without_being_offered() -> None:
    """ROGUE-26"""
    state = play(turn(0, "223344 223344"), war_at=1)
    assert list_offered_types(state, 0) == ["roll", "retire"]
    assert list_offered_types(state, 1) == ["retire"]
    assert list_broken_rules(turn(0, "223344 223344"), by_seat(1, roll("223344")), war_at=1) == ["TABLE-1"]


def test_every_rule_applies_in_the_rounds_after_a_shared_lead() -> None:
    """ROGUE-26, ROGUE-14: even the war, if it starts only in these rounds."""
    tied = [*turn(0, "C23456 C23456"), *turn(1, "C23456 C23456")]
    state = play(tied, turn(0, "C23456 C23456"), target=250, war_at=400)
    assert (state.scores, GAME.to_act(state)) == ((500, 250), 0)


# What holds in every game


def test_only_the_seat_whose_turn_it_is_plays() -> None:
    """TABLE-1"""
    for action in (roll("223344"), roll("2"), keep("22"), BANK):
        assert list_broken_rules(by_seat(1, action)) == ["TABLE-1"]
        assert list_broken_rules(turn(0, "223344 22"), by_seat(1, action)) == ["TABLE-1"]
    assert list_offered_types(play(), 1) == ["retire"]


def test_after_the_end_nothing_is_possible() -> None:
    """TABLE-2"""
    end = [*turn(0, "C23456 C23456"), *pass_without_points(1)]
    for seat in (0, 1):
        for action in (roll("223344"), keep("22"), BANK, RETIRE):
            assert list_broken_rules(end, by_seat(seat, action), target=250) == ["TABLE-2"]
            assert list_broken_rules(turn(0, *SIX_ROGUES), by_seat(seat, action)) == ["TABLE-2"]
        assert list_offered_types(play(end, target=250), seat) == []


def test_a_seat_that_retires_in_its_turn_keeps_the_points_set_aside_and_is_skipped() -> None:
    """TABLE-3"""
    gone = turn(0, "224456 22", "6644", "retire")
    state = play(gone, seats=3)
    assert (state.scores, GAME.to_act(state)) == ((4, 0, 0), 1)
    assert GAME.to_act(play(gone, pass_without_points(1, 2), seats=3)) == 1
    assert GAME.ranking(state).groups == ((1, 2), (0,))
    assert list_broken_rules(gone, by_seat(0, RETIRE), seats=3) == ["TABLE-3"]
    assert list_broken_rules(gone, by_seat(0, roll("223344")), seats=3) == ["TABLE-3"]


def test_a_seat_may_retire_while_another_plays() -> None:
    """TABLE-3"""
    begun = turn(0, "224456 22")
    state = play(begun, by_seat(1, RETIRE), seats=3)
    assert (GAME.to_act(state), state.turn.points, state.scores) == (0, 4, (0, 0, 0))
    assert GAME.to_act(play(begun, by_seat(1, RETIRE), by_seat(0, BANK), seats=3)) == 2
    assert GAME.to_act(play(begun, by_seat(2, RETIRE), by_seat(0, BANK), pass_without_points(1), seats=3)) == 0


def test_retired_seats_are_ranked_among_themselves_by_score() -> None:
    """TABLE-3"""
    state = play(turn(0, "224456 22", "retire"), turn(1, "334456 33", "retire"), pass_without_points(2), seats=4)
    assert GAME.ranking(state).groups == ((2, 3), (1,), (0,))


def test_the_last_seat_left_has_won_without_its_running_turn_and_cannot_retire() -> None:
    """TABLE-3, TABLE-2"""
    running = [*turn(0, "CCCCCC CCCCCC"), *turn(1, "224456 22")]
    state = play(running, by_seat(0, RETIRE))
    assert (GAME.winners(state), state.scores, GAME.to_act(state)) == ((1,), (1500, 0), None)
    assert state.turn == play().turn
    assert GAME.ranking(state).groups == ((1,), (0,))
    assert list_broken_rules(running, by_seat(0, RETIRE), by_seat(1, RETIRE)) == ["TABLE-2"]
    state = play(running, by_seat(1, RETIRE))
    assert (GAME.winners(state), state.scores) == ((0,), (1500, 4))


def test_the_points_of_a_retired_seat_still_start_the_war_and_the_last_round() -> None:
    """TABLE-3, ROGUE-12, ROGUE-13"""
    gone = turn(0, "CCCCC2 CCCCC", "retire")
    six_dice = turn(1, "223344 223344")
    assert GAME.to_act(play(gone, six_dice, seats=3, war_at=1000)) == 1
    assert GAME.to_act(play(gone, six_dice, seats=3, war_at=1001)) == 2
    state = play(gone, turn(1, "224456 22", "bank"), pass_without_points(2), seats=3, target=1000)
    assert (GAME.winners(state), GAME.ranking(state).groups) == ((1,), ((1,), (2,), (0,)))


def test_a_seat_that_retires_ends_the_round_when_it_was_the_last_in_it() -> None:
    """TABLE-3, ROGUE-13"""
    leads = [*turn(0, "C23456 C23456"), *pass_without_points(1)]
    state = play(leads, turn(2, "224456 22", "retire"), seats=3, target=250)
    assert (GAME.winners(state), state.scores) == ((0,), (250, 0, 4))
    state = play(leads, turn(2, "666623 6666", "retire"), seats=3, target=250)
    assert (GAME.winners(state), state.scores) == ((0,), (250, 0, 300))


def test_a_retiring_seat_does_not_create_a_sole_leader_before_the_round_is_over() -> None:
    """TABLE-3, ROGUE-14"""
    tied = [*turn(0, "C23456 C23456"), *turn(1, "C23456 C23456"), *pass_without_points(2)]
    state = play(tied, by_seat(1, RETIRE), seats=3, target=250)
    assert (GAME.is_finished(state), GAME.to_act(state)) == (False, 0)
    assert GAME.winners(play(tied, by_seat(1, RETIRE), pass_without_points(0, 2), seats=3, target=250)) == (0,)


def test_a_seat_that_retires_gets_no_additional_turn() -> None:
    """TABLE-3, ROGUE-12"""
    state = play(turn(0, "223344 223344", "224456 22", "retire"), seats=3, war_at=1)
    assert (state.scores, GAME.to_act(state)) == ((22, 0, 0), 1)


def test_the_most_specific_clause_is_named_first() -> None:
    """TABLE-4"""
    assert list_broken_rules(by_seat(0, roll("CC2456"), keep("C33"))) == ["ROGUE-6", "ROGUE-17"]
    assert list_broken_rules(by_seat(0, roll("CC2456"), keep("C4"))) == ["ROGUE-17", "ROGUE-16"]
    assert list_broken_rules(by_seat(0, roll("C22456"), keep("335"))) == ["ROGUE-6", "ROGUE-16"]
    assert list_broken_rules(by_seat(0, roll("C22456"), BANK)) == ["ROGUE-22"]
