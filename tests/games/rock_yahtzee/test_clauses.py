"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

import pytest

from games.core import transcript
from games.core.specs import DiceField, NumberField, PickField
from games.rock_yahtzee import GAME
from games.rock_yahtzee.boxes import BOXES
from tests.games.rock_yahtzee.table import (
    FORFEIT,
    RETIRE,
    by_seat,
    cut,
    get_malformed_field,
    get_open_box_points,
    get_spec,
    get_total_of,
    list_box_choices,
    list_broken_rules,
    list_offered_types,
    list_problems,
    paper,
    play,
    result,
    roll,
    score,
)

WORDS = [box.word for box in BOXES]


# The card and its turns


def test_a_seat_is_one_card_and_cards_do_not_affect_each_other() -> None:
    """ROCK-1: one card a bike; here a seat is that card."""
    state = play(*by_seat(1, paper("chance", 22)), *by_seat(0, paper("chance", 10)), seats=2)
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [10, 22]
    assert GAME.independent


def test_a_card_has_five_turns_unless_the_contest_says_otherwise() -> None:
    """ROCK-2, TABLE-2"""
    assert not GAME.is_finished(play(*[FORFEIT] * 4))
    assert GAME.is_finished(play(*[FORFEIT] * 5))
    assert list_broken_rules(*[FORFEIT] * 6) == ["TABLE-2"]
    assert GAME.is_finished(play(FORFEIT, turns=1))
    assert list_broken_rules(*[FORFEIT] * 16, turns=15) == ["TABLE-2"]
    assert GAME.slot_option == "turns"


def test_the_first_roll_takes_all_five_dice_and_keeps_none() -> None:
    """ROCK-3"""
    assert list_broken_rules(roll(1, 2, 3, 4)) == ["ROCK-3"]
    assert list_broken_rules(roll(1, 2, 3, 4, 5, 6)) == ["ROCK-3"]
    assert list_broken_rules(roll()) == ["ROCK-3"]
    assert [(p.rule, p.field) for p in list_problems(roll(1, 2, 3, keep=(4, 5)))] == [
        ("ROCK-3", "keep"),
        ("ROCK-3", "dice"),
    ]
    play({"type": "roll", "dice": [1, 2, 3, 4, 5], "keep": []})


def test_a_turn_has_three_rolls_and_no_fourth() -> None:
    """ROCK-3"""
    three = [roll(1, 2, 3, 4, 6), roll(5, keep=(1, 2, 3, 4)), roll(6, keep=(1, 2, 3, 4))]
    assert list_offered_types(play(*three)) == ["result", "score", "retire"]
    (problem,) = list_problems(*three, roll(5, keep=(1, 2, 3, 4)))
    assert (problem.rule, problem.code) == ("ROCK-3", "no_roll_left")
    assert "1, 2, 3, 4, 6" in problem.message()


@pytest.mark.parametrize("rolls", [0, 4, -1, 10**30])
def test_final_dice_can_follow_one_two_or_three_rolls(rolls: int) -> None:
    """ROCK-3"""
    assert [(p.rule, p.field) for p in list_problems(result(1, 2, 3, 4, 5, rolls=rolls))] == [("ROCK-3", "rolls")]
    for possible in (1, 2, 3):
        play(result(1, 2, 3, 4, 5, rolls=possible))


def test_a_further_roll_keeps_dice_that_are_showing_and_rolls_the_others() -> None:
    """ROCK-4"""
    first = roll(2, 2, 5, 6, 1)
    assert play(first, roll(3, 3, 3, keep=(2, 5))).seats[0].dice == (2, 5, 3, 3, 3)
    assert play(first, roll(3, 3, 3, 3, 3)).seats[0].dice == (3, 3, 3, 3, 3)
    (problem,) = list_problems(first, roll(3, 3, keep=(5, 5, 4)))
    assert (problem.rule, problem.field) == ("ROCK-4", "keep")
    assert problem.message() == "These dice are not showing: 4, 5. Showing: 2, 2, 5, 6, 1."


def test_a_further_roll_makes_five_dice_again() -> None:
    """ROCK-4"""
    first = roll(2, 2, 5, 6, 1)
    assert list_broken_rules(first, roll(3, keep=(2, 5))) == ["ROCK-4"]
    assert list_broken_rules(first, roll(3, 3, 3, 3, keep=(2, 5))) == ["ROCK-4"]
    assert list_broken_rules(first, roll(3, 3)) == ["ROCK-4"]


def test_a_further_roll_rolls_at_least_one_die() -> None:
    """ROCK-4"""
    (problem,) = list_problems(roll(2, 2, 5, 6, 1), roll(keep=(1, 2, 2, 5, 6)))
    assert (problem.rule, problem.code) == ("ROCK-4", "nothing_rolled")


def test_every_problem_of_a_further_roll_is_reported_at_once() -> None:
    """ROCK-4"""
    codes = [problem.code for problem in list_problems(roll(2, 2, 5, 6, 1), roll(keep=(3, 3)))]
    assert codes == ["not_showing", "nothing_rolled", "not_five_dice"]


@pytest.mark.parametrize("rolls", [1, 2])
def test_a_turn_may_stop_after_the_first_or_the_second_roll(rolls: int) -> None:
    """ROCK-5"""
    actions = [roll(6, 6, 6, 6, 6), roll(6, keep=(6, 6, 6, 6))][:rolls]
    assert get_total_of(*actions, score("sixes")) == 30


def test_a_box_is_scored_with_dice_and_ends_the_turn() -> None:
    """ROCK-6"""
    assert [(p.rule, p.code) for p in list_problems(score("chance"))] == [("ROCK-6", "no_dice")]
    assert "score" not in list_offered_types(play())
    state = play(roll(1, 2, 3, 4, 6), score("chance"))
    assert state.seats[0].dice == ()
    assert len(GAME.turns(state, 0)) == 1
    assert list_broken_rules(roll(1, 2, 3, 4, 6), score("chance"), score("aces")) == ["ROCK-6"]


# The boxes


@pytest.mark.parametrize(
    ("box", "points"), [("aces", 1), ("twos", 4), ("threes", 3), ("fours", 0), ("fives", 5), ("sixes", 0)]
)
def test_an_upper_box_counts_its_own_number(box: str, points: int) -> None:
    """ROCK-7"""
    assert get_total_of(result(2, 1, 5, 2, 3), score(box)) == points


def test_83_in_the_upper_section_earns_35_at_once_and_82_nothing() -> None:
    """ROCK-8"""
    upper = [paper("sixes", 30), paper("fives", 25), paper("fours", 20)]
    assert get_total_of(*upper, paper("twos", 6)) == 81
    assert get_total_of(*upper, paper("twos", 6), paper("aces", 1)) == 82
    assert get_total_of(*upper, paper("twos", 6), paper("aces", 2)) == 83 + 35
    assert get_total_of(*upper, paper("twos", 8)) == 83 + 35
    assert get_total_of(*upper, paper("chance", 30)) == 105


def test_the_bonus_is_the_contests_to_choose() -> None:
    """ROCK-8"""
    bonus = {"threshold": 5, "points": 0}
    assert get_total_of(paper("aces", 5), upper_bonus=bonus) == 5
    assert get_total_of(paper("aces", 5), upper_bonus=bonus | {"points": 7}) == 12
    assert get_total_of(paper("aces", 4), upper_bonus=bonus | {"points": 7}) == 4


@pytest.mark.parametrize(
    ("dice", "points"),
    [((4, 4, 4, 1, 2), 15), ((4, 4, 4, 4, 2), 18), ((4, 4, 4, 4, 4), 20), ((4, 4, 3, 3, 1), 0)],
)
def test_three_of_a_kind_is_the_sum_of_all_dice(dice: tuple[int, ...], points: int) -> None:
    """ROCK-9"""
    assert get_total_of(result(*dice), score("three_of_a_kind")) == points


@pytest.mark.parametrize(("dice", "points"), [((4, 4, 4, 4, 2), 18), ((4, 4, 4, 4, 4), 20), ((4, 4, 4, 1, 2), 0)])
def test_four_of_a_kind_is_the_sum_of_all_dice(dice: tuple[int, ...], points: int) -> None:
    """ROCK-10"""
    assert get_total_of(result(*dice), score("four_of_a_kind")) == points


def test_a_full_house_is_25() -> None:
    """ROCK-11, ROCK-17"""
    assert get_total_of(result(1, 2, 1, 2, 1), score("full_house")) == 25
    assert get_total_of(result(6, 6, 5, 5, 5), score("full_house")) == 25


@pytest.mark.parametrize("dice", [(1, 2, 3, 4, 6), (5, 4, 3, 2, 2), (3, 4, 5, 6, 1)])
def test_a_small_straight_is_30(dice: tuple[int, ...]) -> None:
    """ROCK-12, ROCK-17, ROCK-24: the fifth die may be anything."""
    assert get_total_of(result(*dice), score("small_straight")) == 30


@pytest.mark.parametrize(("dice", "points"), [((1, 2, 3, 4, 5), 40), ((6, 2, 4, 3, 5), 40), ((1, 3, 4, 5, 6), 0)])
def test_a_large_straight_is_40(dice: tuple[int, ...], points: int) -> None:
    """ROCK-13, ROCK-17"""
    assert get_total_of(result(*dice), score("large_straight")) == points


def test_yahtzees_are_50_then_50_then_100_and_there_is_no_fourth() -> None:
    """ROCK-14, ROCK-17, ROCK-25: the printed card's 100 for every tick is not added."""
    one = [result(1, 1, 1, 1, 1), score("yahtzee")]
    assert [get_total_of(*one * times) for times in (1, 2, 3)] == [50, 100, 200]
    (problem,) = list_problems(*one * 4)
    assert (problem.rule, problem.field, problem.code) == ("ROCK-14", "box", "yahtzee_used_up")
    assert "3 times" in problem.message()


def test_the_entries_of_the_yahtzee_box_are_the_contests_to_choose() -> None:
    """ROCK-14"""
    one = [result(1, 1, 1, 1, 1), score("yahtzee")]
    assert get_total_of(*one, yahtzee_points=[7]) == 7
    (problem,) = list_problems(*one * 2, yahtzee_points=[7])
    assert (problem.rule, problem.message().count("1 time,")) == ("ROCK-14", 1)
    assert get_total_of(*one * 4, yahtzee_points=[1, 2, 3, 4]) == 10


def test_chance_is_the_sum_of_any_dice() -> None:
    """ROCK-15"""
    assert get_total_of(result(1, 2, 4, 6, 6), score("chance")) == 19


@pytest.mark.parametrize("box", [word for word in WORDS if word != "yahtzee"])
def test_every_other_box_is_used_once(box: str) -> None:
    """ROCK-16: even if it scored 0."""
    again = [result(1, 1, 2, 2, 6), score(box)]
    (problem,) = list_problems(*again * 2)
    assert (problem.rule, problem.field) == ("ROCK-16", "box")
    assert list_broken_rules(paper(box, 0), paper(box, 0)) == ["ROCK-16"]
    assert [choice.rule for choice in list_box_choices(play(*again, again[0])).choices if not choice.open] == [
        "ROCK-16"
    ]


# Who wins


def test_the_total_is_both_sections_and_the_bonus_and_the_highest_wins() -> None:
    """ROCK-18"""
    upper = {"threshold": 10, "points": 35}
    first = by_seat(0, paper("sixes", 12), paper("chance", 20))
    second = by_seat(1, paper("chance", 30), paper("large_straight", 40))
    state = play(*first, *second, seats=2, turns=2, upper_bonus=upper)
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [67, 70]
    assert GAME.winners(state) == (1,)
    lines = {line.key: line.cells[0].points for line in GAME.sheet(state).lines}
    keys = ("upper_sum", "upper_bonus", "upper_total", "lower_total", "grand_total")
    assert [lines[key] for key in keys] == [12, 35, 47, 20, 67]


def score_chance(*totals: int) -> list[dict[str, object]]:
    """Return one turn for each seat, with these points in chance."""
    return [action for seat, points in enumerate(totals) for action in by_seat(seat, paper("chance", points))]


def test_tied_cards_share_their_place_until_they_cut_and_the_highest_card_is_best() -> None:
    """ROCK-19"""
    state = play(*score_chance(20, 20, 10), seats=3, turns=1)
    assert GAME.ranking(state).groups == ((0, 1), (2,))
    assert GAME.winners(state) == (0, 1)
    state = play(*score_chance(20, 20, 10), cut(s0="KD", s1="AS"), seats=3, turns=1)
    assert GAME.winners(state) == (1,)
    assert [place.rank for place in GAME.ranking(state).places] == [1, 2, 3]


# Rulings


def test_a_die_set_aside_may_be_picked_up_again() -> None:
    """ROCK-20"""
    state = play(roll(5, 5, 1, 2, 3), roll(6, 6, 6, keep=(5, 5)), roll(1, 1, keep=(6, 6, 6)))
    assert sorted(state.seats[0].dice) == [1, 1, 6, 6, 6]
    play(roll(5, 5, 1, 2, 3), roll(6, 6, 6, keep=(5, 5)), roll(1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    "box", ["fours", "full_house", "small_straight", "large_straight", "yahtzee", "four_of_a_kind"]
)
def test_any_open_box_may_be_chosen_and_gives_0_without_its_pattern(box: str) -> None:
    """ROCK-21"""
    assert get_total_of(result(1, 1, 1, 2, 6), score(box)) == 0


def test_a_zero_closes_the_yahtzee_box_and_its_points_are_kept() -> None:
    """ROCK-22"""
    closed = [result(1, 1, 1, 1, 1), score("yahtzee"), result(1, 2, 3, 4, 6), score("yahtzee")]
    assert get_total_of(*closed) == 50
    assert list_broken_rules(*closed, result(1, 1, 1, 1, 1), score("yahtzee")) == ["ROCK-22"]
    assert list_broken_rules(*closed, paper("yahtzee", 50)) == ["ROCK-22"]
    assert list_broken_rules(paper("yahtzee", 0), paper("yahtzee", 0)) == ["ROCK-22"]
    (choice,) = [c for c in list_box_choices(play(*closed, result(1, 1, 1, 1, 1))).choices if not c.open]
    assert (choice.value, choice.rule) == ("yahtzee", "ROCK-22")


def test_five_alike_are_no_full_house_and_no_joker() -> None:
    """ROCK-23"""
    points = get_open_box_points(4, 4, 4, 4, 4)
    assert points == dict.fromkeys(WORDS, 0) | {
        "fours": 20, "three_of_a_kind": 20, "four_of_a_kind": 20, "yahtzee": 50, "chance": 20
    }  # fmt: skip
    after = play(paper("yahtzee", 50), result(4, 4, 4, 4, 4))
    assert {c.value: c.points for c in list_box_choices(after).choices}["large_straight"] == 0


def test_a_large_straight_also_counts_as_a_small_one() -> None:
    """ROCK-24"""
    assert get_total_of(result(2, 3, 4, 5, 6), score("small_straight")) == 30


def test_a_missed_turn_uses_no_box_and_scores_0() -> None:
    """ROCK-26"""
    state = play(FORFEIT)
    (turn,) = GAME.turns(state, 0)
    assert (turn.line, turn.points, turn.how) == (None, 0, "missed")
    assert get_total_of(FORFEIT, paper("chance", 9)) == 9


@pytest.mark.parametrize("action", [roll(1, 2, 3, 4, 5), result(1, 2, 3, 4, 5)])
def test_a_turn_with_dice_is_not_missed(action: dict[str, object]) -> None:
    """ROCK-26"""
    assert list_broken_rules(action, FORFEIT) == ["ROCK-26"]
    assert "forfeit" not in list_offered_types(play(action))


def test_cards_rank_from_two_to_ace_whatever_the_suit() -> None:
    """ROCK-27"""
    cards = ["2S", "3H", "4D", "5C", "6S", "7H", "8D", "9C", "10S", "JH", "QD", "KC", "AS"]
    state = play(*score_chance(*[9] * 13), cut(**{f"s{n}": card for n, card in enumerate(cards)}), seats=13, turns=1)
    assert GAME.ranking(state).groups == tuple((seat,) for seat in reversed(range(13)))
    state = play(*score_chance(9, 9), cut(s0="7S", s1="7C"), seats=2, turns=1)
    assert GAME.ranking(state).groups == ((0, 1),)


def test_equal_cards_are_cut_again_and_an_absent_seat_ranks_below() -> None:
    """ROCK-27"""
    tie = score_chance(9, 9, 9, 9)
    first = cut(s0="QS", s1="QH", s2=None, s3="2C")
    state = play(*tie, first, seats=4, turns=1)
    assert GAME.ranking(state).groups == ((0, 1), (3,), (2,))
    assert [spec.fields[0].seats for spec in GAME.legal_actions(state, None)] == [(0, 1)]  # type: ignore[union-attr]
    state = play(*tie, first, cut(s0="3D", s1="4D"), seats=4, turns=1)
    assert GAME.ranking(state).groups == ((1,), (0,), (3,), (2,))
    assert GAME.legal_actions(state, None) == ()


def test_a_cut_ranks_only_the_tied_seats() -> None:
    """ROCK-27"""
    tie = score_chance(9, 9, 12, 5)
    assert list_broken_rules(*tie, cut(s0="QS", s1="KS", s2="2S"), seats=4, turns=1) == ["ROCK-27"]
    assert list_broken_rules(*tie, cut(s0="QS"), seats=4, turns=1) == ["ROCK-27"]
    assert list_broken_rules(*tie, cut(s2="QS", s3="KS"), seats=4, turns=1) == ["ROCK-27"]
    state = play(*tie, cut(s0="2S", s1="3S"), seats=4, turns=1)
    assert GAME.ranking(state).groups == ((2,), (1,), (0,), (3,))


def test_one_card_is_not_shown_twice_and_at_least_one_seat_must_cut() -> None:
    """ROCK-27"""
    tie = score_chance(9, 9)
    assert [p.code for p in list_problems(*tie, cut(s0="QS", s1="QS"), seats=2, turns=1)] == ["same_card"]
    assert [p.code for p in list_problems(*tie, cut(s0=None, s1=None), seats=2, turns=1)] == ["nobody_cut"]
    play(*tie, cut(s0="QS", s1="QH"), cut(s0="QS", s1="QD"), seats=2, turns=1)


def test_no_cards_are_cut_before_the_game_is_finished() -> None:
    """ROCK-27, TABLE-2: after the end, only cutting is left."""
    problems = list_problems(*score_chance(9, 9), cut(s0="QS", s1="KS"), seats=2, turns=2)
    assert (problems[0].rule, problems[0].code) == ("ROCK-27", "not_finished")
    end = play(*score_chance(9, 9), seats=2, turns=1)
    assert list_offered_types(end, None) == ["cut"]
    assert list_offered_types(end, 0) == []


def test_retired_seats_do_not_cut() -> None:
    """ROCK-27, TABLE-3"""
    gone = [*by_seat(0, RETIRE), *by_seat(1, RETIRE), *by_seat(2, paper("chance", 5))]
    (problem,) = list_problems(*gone, cut(s0="QS", s1="KS"), seats=3, turns=1)
    assert (problem.rule, problem.code) == ("ROCK-27", "retired_do_not_cut")
    assert list_offered_types(play(*gone, seats=3, turns=1), None) == []


@pytest.mark.parametrize("card", ["1S", "11H", "QX", "Q", "", "S10", 10, True, ["QS"]])
def test_what_is_no_card_cannot_be_read(card: object) -> None:
    """ROCK-27"""
    bad = {"type": "cut", "cards": {"0": "QS", "1": card}}
    assert get_malformed_field(*score_chance(9, 9), bad, seats=2, turns=1) == "actions[2].cards.1"


@pytest.mark.parametrize("seat", ["2", "-1", "00", "x", "", "²"])
def test_a_cut_of_a_seat_that_is_not_there_cannot_be_read(seat: str) -> None:
    """ROCK-27"""
    bad = {"type": "cut", "cards": {"0": "QS", seat: "KS"}}
    assert get_malformed_field(*score_chance(9, 9), bad, seats=2, turns=1) == f"actions[2].cards.{seat}"


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ((3, 4, 5, 5, 2), {"small_straight": 30, "chance": 19, "fives": 10}),
        ((4, 4, 4, 4, 6), {"four_of_a_kind": 22, "chance": 22, "fours": 16}),
        ((4, 4, 4, 6, 6), {"full_house": 25, "three_of_a_kind": 24, "chance": 24}),
    ],
)
def test_the_worked_turns_give_what_the_rules_say(dice: tuple[int, ...], points: dict[str, int]) -> None:
    """ROCK-28"""
    assert {box: get_open_box_points(*dice)[box] for box in points} == points


@pytest.mark.parametrize(
    ("box", "possible", "impossible"),
    [
        ("aces", [0, 1, 5], [6, -1]),
        ("sixes", [0, 6, 30], [5, 31, 36]),
        ("three_of_a_kind", [0, 5, 30], [4, 31]),
        ("four_of_a_kind", [0, 5, 30], [4, 31]),
        ("full_house", [0, 25], [24, 50]),
        ("small_straight", [0, 30], [40]),
        ("large_straight", [0, 40], [30]),
        ("yahtzee", [0, 50], [100, 25]),
        ("chance", [0, 5, 30], [4, 31, 10**40]),
    ],
)
def test_paper_gives_a_box_points_that_it_can_give(box: str, possible: list[int], impossible: list[int]) -> None:
    """ROCK-29"""
    assert [get_total_of(paper(box, points)) for points in possible] == possible
    for points in impossible:
        assert [(p.rule, p.field) for p in list_problems(paper(box, points))] == [("ROCK-29", "points")]


def test_paper_gives_yahtzee_the_next_of_its_entries() -> None:
    """ROCK-29, ROCK-14"""
    two = [paper("yahtzee", 50), result(2, 2, 2, 2, 2), score("yahtzee")]
    assert get_total_of(*two, paper("yahtzee", 100)) == 200
    (problem,) = list_problems(*two, paper("yahtzee", 50))
    assert problem.message() == "Yahtzee cannot give these points. It can give 0, 100."
    assert list_broken_rules(*two, paper("yahtzee", 100), paper("yahtzee", 100)) == ["ROCK-14"]


@pytest.mark.parametrize("action", [roll(1, 2, 3, 4, 5), result(1, 2, 3, 4, 5)])
def test_a_paper_card_replaces_a_whole_turn(action: dict[str, object]) -> None:
    """ROCK-29"""
    assert list_broken_rules(action, paper("chance", 15)) == ["ROCK-29"]
    assert list_broken_rules(action, paper("chance", 99)) == ["ROCK-29", "ROCK-29"]
    assert "paper" not in list_offered_types(play(action))


def test_a_card_without_an_open_box_is_done_even_with_turns_left() -> None:
    """ROCK-30, TABLE-2"""
    full = [paper(box, 0) for box in WORDS]
    assert GAME.is_finished(play(*full, turns=15))
    assert list_broken_rules(*full, FORFEIT, turns=15) == ["TABLE-2"]
    assert not GAME.is_finished(play(*full[:-1], turns=15))
    open_yahtzee = [paper(box, 50 if box == "yahtzee" else 0) for box in WORDS]
    assert not GAME.is_finished(play(*open_yahtzee, turns=15))
    assert GAME.is_finished(play(*open_yahtzee, turns=15, yahtzee_points=[50]))
    assert GAME.is_finished(play(*open_yahtzee, paper("yahtzee", 0), turns=15))


def test_final_dice_replace_what_was_rolled_and_are_given_once_with_no_roll_after_them() -> None:
    """ROCK-31"""
    actions = [roll(1, 2, 3, 4, 6), roll(1, keep=(2, 3, 4, 6)), result(6, 6, 6, 6, 6, rolls=1)]
    state = play(*actions)
    assert (state.seats[0].dice, state.seats[0].rolls) == ((6, 6, 6, 6, 6), 1)
    assert list_offered_types(state) == ["score", "retire"]
    assert get_total_of(*actions, score("yahtzee")) == 50
    assert list_broken_rules(*actions, roll(1, keep=(6, 6, 6, 6))) == ["ROCK-31"]
    assert list_broken_rules(*actions, result(6, 6, 6, 6, 6)) == ["ROCK-31"]
    play(*actions, score("chance"), result(1, 2, 3, 4, 5))


def test_final_dice_are_five() -> None:
    """ROCK-31"""
    assert [(p.rule, p.field) for p in list_problems(result(1, 2, 3, 4))] == [("ROCK-31", "dice")]
    assert list_broken_rules(result(1, 2, 3, 4, 5, 6)) == ["ROCK-31"]


# What holds in every game


def test_there_is_no_order_among_the_cards_and_nobody_is_to_act() -> None:
    """TABLE-1"""
    state = play(*by_seat(1, roll(1, 2, 3, 4, 5)), *by_seat(0, FORFEIT), *by_seat(1, score("chance")), seats=2)
    assert GAME.to_act(state) is None


def test_a_finished_card_accepts_no_action_not_even_retiring() -> None:
    """TABLE-2: before every other clause, however wrong the action is."""
    end = [*by_seat(0, FORFEIT)]
    for action in (roll(1), result(), score("chance"), paper("aces", 99), FORFEIT, RETIRE):
        assert list_broken_rules(*end, *by_seat(0, action), seats=2, turns=1) == ["TABLE-2"]
    play(*end, *by_seat(1, roll(1, 2, 3, 4, 5)), seats=2, turns=1)


def test_a_bike_may_go_home_in_the_middle_of_a_turn() -> None:
    """TABLE-3: its score is kept, the running turn is lost, and it ranks below all that stayed."""
    state = play(
        *by_seat(0, paper("chance", 30), roll(6, 6, 6, 6, 6), RETIRE),
        *by_seat(1, FORFEIT),
        *by_seat(2, RETIRE),
        seats=3,
        turns=1 + 1,
    )
    assert [GAME.standing(state, seat).total for seat in range(3)] == [30, 0, 0]
    assert GAME.ranking(state).groups == ((1,), (0,), (2,))
    assert not GAME.is_finished(state)


def test_when_everybody_has_retired_the_first_of_them_has_won() -> None:
    """TABLE-3"""
    state = play(*by_seat(0, RETIRE), *by_seat(1, paper("chance", 9), RETIRE), seats=2)
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (1,)


def test_the_clause_of_the_box_comes_before_that_of_the_moment() -> None:
    """TABLE-4"""
    assert list_broken_rules(paper("aces", 1), score("aces")) == ["ROCK-16", "ROCK-6"]
    assert list_broken_rules(paper("aces", 1), roll(1, 2, 3, 4, 5), paper("aces", 1)) == ["ROCK-16", "ROCK-29"]


# What is offered


def test_open_boxes_are_offered_best_first_and_closed_ones_say_why() -> None:
    state = play(paper("chance", 20), result(4, 4, 4, 6, 6))
    field = list_box_choices(state)
    assert [(c.value, c.points) for c in field.choices[:4]] == [
        ("full_house", 25), ("three_of_a_kind", 24), ("fours", 12), ("sixes", 12),
    ]  # fmt: skip
    last = field.choices[-1]
    assert (last.value, last.open, last.points) == ("chance", False, None)
    assert last.why_not is not None
    assert last.why_not.fill(last.params) == "Chance has already been used, for 20 points. Choose an open box."
    assert len(field.choices) == 13


def test_a_fresh_turn_offers_a_roll_of_five_the_final_dice_paper_for_each_open_box_and_missing_it() -> None:
    state = play(paper("yahtzee", 50), paper("aces", 3))
    assert list_offered_types(state) == ["roll", "result", "paper", "forfeit", "retire"]
    (dice,) = get_spec(state, "roll").fields
    assert isinstance(dice, DiceField)
    assert dice.count == (5, 5, None, None)
    papers = [spec.fields for spec in GAME.legal_actions(state, 0) if spec.type == "paper"]
    assert [fields[0].choices[0].value for fields in papers] == WORDS[1:]  # type: ignore[union-attr]
    numbers = {fields[0].choices[0].value: fields[1] for fields in papers}  # type: ignore[union-attr]
    assert isinstance(numbers["yahtzee"], NumberField)
    assert numbers["yahtzee"].values == (0, 50)


def test_a_further_roll_offers_every_set_of_dice_that_may_stay_but_not_all_five() -> None:
    keep, dice = get_spec(play(roll(2, 2, 5, 6, 1)), "roll").fields
    assert isinstance(keep, PickField)
    assert isinstance(dice, DiceField)
    picks = [pick.dice for pick in keep.picks]
    assert len(picks) == len(set(picks)) == 3 * 2**3 - 1
    assert (2, 2) in picks
    assert () in picks
    assert max(map(len, picks)) == 4
    assert dice.count.less_pick == "keep"


def test_a_turn_has_its_source_and_its_last_dice() -> None:
    state = play(roll(1, 2, 3, 4, 6), score("chance"), result(6, 6, 6, 6, 6), score("sixes"), paper("aces", 2), FORFEIT)
    assert [(t.line, t.points, t.dice, t.how) for t in GAME.turns(state, 0)] == [
        ("chance", 16, (1, 2, 3, 4, 6), "rolls"),
        ("sixes", 30, (6, 6, 6, 6, 6), "final"),
        ("aces", 2, (), "paper"),
        (None, 0, (), "missed"),
    ]


def test_the_sheet_is_the_printed_card_and_says_which_turns_filled_a_line() -> None:
    """ROCK-18"""
    state = play(paper("yahtzee", 50), paper("fours", 12), paper("yahtzee", 50))
    lines = GAME.sheet(state).lines
    assert [line.key for line in lines] == [
        *WORDS[:6], "upper_sum", "upper_bonus", "upper_total", *WORDS[6:], "lower_total", "grand_total",
    ]  # fmt: skip
    cells = {line.key: (line.cells[0].points, line.cells[0].turns) for line in lines}
    assert cells["yahtzee"] == (100, (1, 3))
    assert cells["fours"] == (12, (2,))
    assert cells["aces"] == (None, ())
    assert cells["upper_bonus"][0] is None
    assert cells["grand_total"][0] == 112


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "roll"}, "dice"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 0]}, "dice[4]"),
        ({"type": "roll", "dice": [1, 2, 3, 4, True]}, "dice[4]"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 5.0]}, "dice[4]"),
        ({"type": "roll", "dice": "12345"}, "dice"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 5], "rolls": 1}, "rolls"),
        ({"type": "result", "dice": [1, 2, 3, 4, 5], "rolls": True}, "rolls"),
        ({"type": "result", "dice": [1, 2, 3, 4, 5], "rolls": None}, "rolls"),
        ({"type": "score", "box": "ones"}, "box"),
        ({"type": "score"}, "box"),
        ({"type": "paper", "box": "aces"}, "points"),
        ({"type": "paper", "box": "aces", "points": 2.0}, "points"),
        ({"type": "forfeit", "why": "rain"}, "why"),
        ({"type": "stop"}, "type"),
        ({}, "type"),
        ({"type": "cut"}, "cards"),
        ({"type": "cut", "seat": 0, "cards": {}}, "seat"),
        ({"type": "retire", "seat": 1}, "seat"),
    ],
)
def test_malformed_data_names_the_field(action: dict[str, object], field: str) -> None:
    assert get_malformed_field(action) == f"actions[0].{field}"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"turns": 0}, "turns"),
        ({"turns": 16}, "turns"),
        ({"turns": "5"}, "turns"),
        ({"upper_bonus": {"threshold": 83}}, "upper_bonus.points"),
        ({"upper_bonus": {"threshold": 0, "points": 1}}, "upper_bonus.threshold"),
        ({"upper_bonus": {"threshold": 1, "points": -1}}, "upper_bonus.points"),
        ({"upper_bonus": None}, "upper_bonus"),
        ({"yahtzee_points": []}, "yahtzee_points"),
        ({"yahtzee_points": [1] * 16}, "yahtzee_points"),
        ({"yahtzee_points": [50, 0]}, "yahtzee_points[1]"),
        ({"jokers": 1}, "jokers"),
    ],
)
def test_an_option_out_of_its_range_is_reported_before_everything(options: dict[str, object], field: str) -> None:
    answer = transcript.score(
        {"ruleset": "rock-yahtzee", "options": options, "seats": ["Ann"], "actions": [{"type": "stop"}]},
        {"rock-yahtzee": GAME},
    )
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, f"options.{field}")
