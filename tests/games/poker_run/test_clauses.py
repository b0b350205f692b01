"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.problems import Malformed
from games.core.specs import DrawField
from games.core.text import Text
from games.poker_run import GAME
from games.poker_run.hands import WORDS
from tests.games.poker_run.table import (
    FORFEIT,
    RETIRE,
    STAND,
    answer,
    by_seat,
    cut,
    deal,
    draw,
    draws,
    extra,
    get_digits,
    get_malformed_field,
    get_score,
    get_word,
    list_broken_rules,
    list_offered_types,
    list_problems,
    play,
    rank,
)

# Turns and cards


def test_a_seat_is_one_hand_and_hands_do_not_affect_each_other() -> None:
    """POKER-1"""
    state = play(*by_seat(1, draws("AS KS")), *by_seat(0, draws("2S")), seats=2)
    assert [GAME.standing(state, seat).total for seat in (0, 1)] == [get_score("2S"), get_score("AS KS")]
    assert GAME.independent


def test_a_hand_has_five_turns_of_one_card_unless_the_contest_says_otherwise() -> None:
    """POKER-2, TABLE-2"""
    assert not GAME.is_finished(play(*draws("2S 3S 4S 5S")))
    assert GAME.is_finished(play(*draws("2S 3S 4S 5S 7H")))
    assert list_broken_rules(*draws("2S 3S 4S 5S 7H 8H")) == ["TABLE-2"]
    assert list_broken_rules(*draws("2S 3S 4S 5S 7H -")) == ["TABLE-2"]
    assert GAME.is_finished(play(draw("2S", "3S", "4S"), turns=1, cards=3))
    assert not GAME.is_finished(play(*[FORFEIT] * 14, turns=15))
    assert GAME.slot_option == "turns"


@pytest.mark.parametrize("cards", [(), ("2S", "3S"), ("2S", "3S", "4S", "5S")])
def test_a_turn_draws_exactly_as_many_cards_as_the_contest_says(cards: tuple[str, ...]) -> None:
    """POKER-2, POKER-20"""
    (problem,) = list_problems(draw(*cards))
    assert (problem.rule, problem.code, problem.field) == ("POKER-2", "wrong_number", "cards")
    assert str(len(cards)) in problem.message()
    assert list_broken_rules(draw(*cards), cards=3) == ["POKER-2"]
    play(draw("2S"))
    play(draw("2S", "3S", "4S"), cards=3)


def test_cards_of_a_turn_may_come_in_any_order() -> None:
    """POKER-20"""
    one, other = (answer(draw(*cards), cards=2) for cards in (("2S", "AH"), ("AH", "2S")))
    assert one == other
    assert one["ok"]


def test_every_seat_can_draw_every_card_and_jokers_where_there_are_some() -> None:
    """POKER-3"""
    play(*deal("AS JOKER", "AS JOKER"), seats=2, jokers=1)
    assert get_malformed_field(draw("JOKER")) == "actions[0].cards[0]"
    (field,) = GAME.legal_actions(play(), 0)[0].fields
    assert isinstance(field, DrawField)
    assert len(field.cards) == 52


def test_a_hand_holds_no_card_twice_and_no_more_jokers_than_the_deck() -> None:
    """POKER-4"""
    (problem,) = list_problems(*draws("QS QS"))
    assert (problem.rule, problem.code, problem.field) == ("POKER-4", "held_already", "cards")
    assert "QS" in problem.message()
    assert list_broken_rules(draw("QS", "QS"), cards=2) == ["POKER-4"]
    assert list_broken_rules(draw("QS"), FORFEIT, extra("QS"), turns=2, extra=1) == ["POKER-4"]
    assert list_broken_rules(*draws("JOKER JOKER"), jokers=1) == ["POKER-4"]
    assert list_broken_rules(*draws("JOKER JOKER JOKER"), jokers=2) == ["POKER-4"]
    assert list_broken_rules(draw("JOKER", "JOKER", "JOKER"), jokers=2, cards=3) == ["POKER-4"]
    assert list_broken_rules(draw("JOKER"), extra("JOKER"), turns=1, jokers=1, extra=1) == ["POKER-4"]
    play(*draws("JOKER JOKER QS QH"), jokers=2)
    play(draw("JOKER", "JOKER"), jokers=2, cards=2)


def test_what_a_hand_holds_is_not_offered_again() -> None:
    """POKER-4, POKER-5"""
    held, options = draws("QS JOKER"), {"jokers": 2}
    for deck, cards, jokers in (("one", 51, 1), ("each_stop", 52, 1)):
        (field,) = GAME.legal_actions(play(*held, deck=deck, **options), 0)[0].fields
        assert isinstance(field, DrawField)
        assert (len(field.cards), field.jokers, field.count) == (cards, jokers, 1)


def test_with_a_deck_at_each_stop_only_a_turn_holds_no_card_twice() -> None:
    """POKER-5"""
    options: dict[str, Any] = {"deck": "each_stop", "jokers": 1}
    play(*draws("QS QS JOKER JOKER QS"), **options)
    play(draw("QS", "JOKER"), draw("JOKER", "QS"), cards=2, **options)
    assert list_broken_rules(draw("QS", "QS"), cards=2, **options) == ["POKER-5"]
    assert list_broken_rules(draw("JOKER", "JOKER"), cards=2, **options) == ["POKER-5"]
    bought: dict[str, Any] = {"turns": 1, "extra": 3, **options}
    play(draw("QS"), extra("QS"), extra("JOKER"), **bought)
    assert list_broken_rules(draw("QS"), extra("QH"), extra("QH"), **bought) == ["POKER-5"]
    assert list_broken_rules(draw("QS"), extra("JOKER"), extra("JOKER"), **bought) == ["POKER-5"]


def test_a_seat_may_buy_cards_after_the_last_turn_and_is_done_with_the_last_or_when_it_stands() -> None:
    """POKER-6, TABLE-2"""
    options: dict[str, Any] = {"turns": 1, "extra": 2}
    assert list_offered_types(play(draw("2S"), **options)) == ["extra", "stand", "retire"]
    assert not GAME.is_finished(play(draw("2S"), extra("3S"), **options))
    assert GAME.is_finished(play(draw("2S"), extra("3S"), extra("4S"), **options))
    assert GAME.is_finished(play(draw("2S"), STAND, **options))
    assert GAME.is_finished(play(draw("2S"), extra("3S"), STAND, **options))
    assert list_broken_rules(draw("2S"), extra("3S"), extra("4S"), extra("5S"), **options) == ["TABLE-2"]
    assert list_broken_rules(draw("2S"), STAND, extra("3S"), **options) == ["TABLE-2"]
    assert list_broken_rules(draw("2S"), STAND, turns=1) == ["TABLE-2"]


# The hand


def test_the_best_five_of_all_cards_count_and_all_while_they_are_fewer() -> None:
    """POKER-7"""
    assert get_digits("2S") == "020000"
    assert get_digits("2S 9H 2D") == "122900"
    assert get_digits("2S 3H 5D 7C 9S AS AH") == "1ee975"
    assert get_digits("2S 3H 5D 7C 9S AS AH", goal="low") == "097532"
    assert get_score("") == 0


def test_an_ace_is_low_only_in_the_lowest_straight_and_no_straight_goes_past_it() -> None:
    """POKER-8"""
    assert get_digits("AS 2H 3D 4C 5S") == "454321"
    assert get_digits("10S JH QD KC AS") == "4edcba"
    assert get_digits("QS KH AD 2C 3S") == "0edc32"
    assert get_digits("AS AH 3D 4C 5S") == "1ee543"
    assert rank("AS 2H 3D 4C 5S", "2S 3H 4D 5C 6S") == [[1], [0]]


def test_suits_never_rank() -> None:
    """POKER-8"""
    assert rank("AS KS QS JS 9S", "AC KC QC JC 9C") == [[0, 1]]


@pytest.mark.parametrize(
    ("cards", "word", "digits"),
    [
        ("KS KH KD KC JOKER", "five_of_a_kind", "9ddddd"),
        ("9S KS QS JS 10S", "straight_flush", "8dcba9"),
        ("KS KH KD KC 2S", "four_of_a_kind", "7dddd2"),
        ("KS KH KD 9C 9D", "full_house", "6ddd99"),
        ("KS 2S 9S 7S 8S", "flush", "5d9872"),
        ("KS QH JS 10S 9S", "straight", "4dcba9"),
        ("KS KH KD 9C 8D", "three_of_a_kind", "3ddd98"),
        ("4S 4H AD AC KD", "two_pairs", "2ee44d"),
        ("4S 4H AD JC KD", "pair", "144edb"),
        ("2S 4H AD JC KD", "high_card", "0edb42"),
    ],
)
def test_every_category_has_its_number_and_its_word(cards: str, word: str, digits: str) -> None:
    """POKER-9, POKER-11"""
    assert get_digits(cards, jokers=1) == digits
    assert get_word(cards, jokers=1) == word == WORDS[int(digits[0])]


def test_a_royal_flush_is_a_straight_flush() -> None:
    """POKER-9"""
    assert get_digits("AS KS QS JS 10S") == "8edcba"


def test_a_seat_without_cards_has_no_word_and_the_score_0() -> None:
    """POKER-9"""
    found = answer(*deal("- 2S", "- -"), seats=2, turns=2)
    assert (found["hands"], found["scores"]) == (["high_card", None], [131072, 0])


def test_a_hand_is_of_the_highest_category_that_it_makes() -> None:
    """POKER-10"""
    assert get_word("2S 3S 4S 5S 6S 6H 6D") == "straight_flush"
    assert get_word("2S 3S 4S 5S 7S 6H") == "flush"


def test_a_flush_may_hold_a_rank_twice_unless_it_makes_category_6_or_more() -> None:
    """POKER-10, POKER-5"""
    assert get_digits("9S 9S KS 4S 2S", deck="each_stop") == "5d9942"
    assert get_digits("9S 9S KS KS 2S", deck="each_stop") == "5dd992"
    assert get_digits("9S 9S 9S 4S 2S", deck="each_stop") == "599942"
    assert get_digits("9S 9S 9S 4S 4S", deck="each_stop") == "699944"
    assert get_digits("9S 9S 9S 9S 4S", deck="each_stop") == "799994"
    assert get_digits("9S 9S 9S 9S 9S", deck="each_stop") == "999999"


@pytest.mark.parametrize(
    ("better", "lower"),
    [
        ("6S 5S 4S 3S 2S", "5H 4H 3H 2H AH"),
        ("KS KH KD KC 3S", "KS KH KD KC 2S"),
        ("KS KH KD 2C 2D", "QS QH QD AC AD"),
        ("AS 9S 8S 7S 3S", "AH 9H 8H 7H 2H"),
        ("AS AH 9D 8C 7S", "AS AH 9D 8C 6S"),
        ("AS AH 4D 4C KS", "AS AH 4D 4C QS"),
        ("AS AH 4D 4C 2S", "AS AH 3D 3C KS"),
        ("AS KH 9D 8C 7S", "AS KH 9D 8C 6S"),
        ("2S 2H 2D 5C 4S", "2S 2H 2D 5C 3S"),
    ],
)
def test_within_a_category_the_ranks_are_compared_one_by_one_to_the_last_kicker(better: str, lower: str) -> None:
    """POKER-11, POKER-12"""
    assert rank(lower, better) == [[1], [0]]
    assert rank(lower, better, goal="low") == [[0], [1]]


def test_with_the_goal_high_the_best_hand_wins() -> None:
    """POKER-12"""
    found = answer(*deal("2S 4S 6S 8S 10H", "2S 2H 3S 3H 3D"), seats=2)
    assert (found["ranking"], found["winners"]) == ([[1], [0]], [1])


def test_with_the_goal_low_the_worst_hand_wins_and_straights_flushes_and_aces_are_high() -> None:
    """POKER-13"""
    lowest, straight = "7S 5S 4S 3S 2H", "5S 4S 3S 2S AH"
    flush, ace, eight = "7S 5S 4S 3S 2S", "AS 6S 4S 3S 2H", "8S 5H 4S 3S 2H"
    assert rank(lowest, straight, flush, ace, eight, goal="low") == [[0], [4], [3], [1], [2]]
    assert GAME.ruleset({"goal": "low"}).lowest_wins
    assert not GAME.ruleset().lowest_wins


def test_the_lowest_five_of_more_cards_count_with_the_goal_low() -> None:
    """POKER-13, POKER-7"""
    assert get_digits("2S 3S 4S 5S 6S 7S", goal="low") == "575432"
    assert get_digits("2S 3S 4S 5S 6S 7H", goal="low") == "075432"
    assert get_digits("2S 2H 2D 2C 3S 3H", goal="low") == "622233"


def test_a_joker_is_whatever_card_serves_the_goal_best() -> None:
    """POKER-14"""
    assert get_digits("KS QS JS 10S JOKER", jokers=1) == "8edcba"
    assert get_digits("KS KH 9D 9C JOKER", jokers=1) == "6ddd99"
    assert get_digits("AS AH AD JOKER JOKER", jokers=2) == "9eeeee"
    assert get_digits("3S 4S 5S 6H JOKER", jokers=1, goal="low") == "086543"
    assert get_digits("JOKER JOKER", jokers=2) == "1ee000"
    assert get_digits("JOKER JOKER", jokers=2, goal="low") == "032000"


def test_a_joker_may_be_a_card_that_the_hand_holds() -> None:
    """POKER-14"""
    assert get_digits("AS KS 9S 5S JOKER", jokers=1) == "5eed95"
    assert get_digits("KS KH KD KC JOKER", jokers=1) == "9ddddd"


def test_fewer_than_five_cards_make_no_straight_flush_or_full_house() -> None:
    """POKER-15"""
    assert get_digits("KS KH KD KC") == "7dddd0"
    assert get_digits("KS QS JS 10S") == "0dcba0"
    assert get_digits("KS KH 9D 9C") == "2dd990"
    assert get_digits("KS KH KD 9C") == "3ddd90"
    assert get_digits("KS JOKER JOKER", jokers=2) == "3ddd00"
    assert rank("KS KH 2D", "KS KH -") == [[0], [1]]


def test_with_the_goal_low_more_cards_up_to_five_come_first() -> None:
    """POKER-16"""
    assert rank("2S 3H 4D 5C -", "AS AH AD AC KS", goal="low") == [[1], [0]]
    assert rank("-", "AS", goal="low") == [[1], [0]]
    assert rank("2S 3H 4D 5C 7S -", "2S 3H 4D 5C 7S 8S", goal="low") == [[0, 1]]


# Missed turns and ties


def test_a_missed_turn_draws_no_card_and_extra_cards_may_still_be_bought() -> None:
    """POKER-17"""
    state = play(FORFEIT, FORFEIT, extra("AS"), turns=2, extra=2)
    assert GAME.standing(state, 0).total == 0x0E0000
    assert list_offered_types(state) == ["extra", "stand", "retire"]
    assert "forfeit" in list_offered_types(play())


def test_level_seats_cut_cards_and_the_highest_card_is_best_under_both_goals() -> None:
    """POKER-18"""
    for goal in ("high", "low"):
        level = deal("2S 3S", "2H 3H", "2D 3D")
        found = answer(*level, seats=3, turns=2, goal=goal)
        assert (found["ranking"], found["winners"]) == ([[0, 1, 2]], [0, 1, 2])
        found = answer(*level, cut(s0="2S", s1="AH", s2=None), seats=3, turns=2, goal=goal)
        assert (found["ranking"], found["winners"]) == ([[1], [0], [2]], [1])
        again = [cut(s0="KS", s1="KH", s2="3S"), cut(s0="4S", s1="5S")]
        assert answer(*level, *again, seats=3, turns=2, goal=goal)["ranking"] == [[1], [0], [2]]


def test_a_cut_takes_place_at_the_end_among_all_level_seats_with_different_cards() -> None:
    """POKER-18, TABLE-2"""
    level = deal("2S", "2H", "2D", "AS")
    options: dict[str, Any] = {"seats": 4, "turns": 1}
    assert list_broken_rules(*level[:3], cut(s0="AS", s1="KS", s2="QS"), **options) == ["POKER-18"]
    assert list_broken_rules(*level, cut(s0="AS", s1="KS"), **options) == ["POKER-18"]
    assert list_broken_rules(*level, cut(s0="AS", s1="AS", s2="KS"), **options) == ["POKER-18"]
    assert list_broken_rules(*level, cut(s0=None, s1=None, s2=None), **options) == ["POKER-18"]
    assert get_malformed_field(*level, cut(s0="JOKER", s1="AS", s2="KS"), jokers=2, **options) == "actions[4].cards.0"
    assert list_offered_types(play(*level, **options), None) == ["cut"]


def test_nobody_cuts_where_ties_stay() -> None:
    """POKER-18"""
    level = deal("2S", "2H")
    options: dict[str, Any] = {"seats": 2, "turns": 1, "ties": "stay"}
    assert list_broken_rules(*level, cut(s0="AS", s1="KS"), **options) == ["POKER-18"]
    assert list_broken_rules(level[0], cut(s0="AS", s1="KS"), **options) == ["POKER-18"]
    assert list_offered_types(play(*level, **options), None) == []
    assert answer(*level, **options)["winners"] == [0, 1]
    assert GAME.ruleset({"ties": "stay"}).tie_procedure == "stay_level"
    assert GAME.ruleset().tie_procedure == "cut_cards"


# Where clubs differ


def test_the_cards_of_a_hand_stay() -> None:
    """POKER-19: there is no action that takes a card away, and with the goal high more cards are never worse."""
    assert set(GAME.ruleset({"extra": 1}).types) == {"draw", "forfeit", "extra", "stand", "retire", "cut"}
    assert get_score("KS KH KD 9C 9D 2S") == get_score("KS KH KD 9C 9D")


def test_after_the_last_turn_none_is_drawn_or_forfeited_and_before_it_nothing_is_bought() -> None:
    """POKER-21"""
    options: dict[str, Any] = {"turns": 2, "extra": 1}
    over = draws("2S 3S")
    assert list_broken_rules(*over, draw("4S"), **options) == ["POKER-2"]
    assert list_broken_rules(*over, FORFEIT, **options) == ["POKER-2"]
    assert list_broken_rules(extra("4S"), **options) == ["POKER-6"]
    assert list_broken_rules(draw("2S"), STAND, **options) == ["POKER-6"]
    assert list_broken_rules(STAND) == ["POKER-6"]
    assert list_broken_rules(extra("4S")) == ["POKER-6"]


def test_the_order_of_the_categories_holds_with_every_deck() -> None:
    """POKER-22"""
    hands = ("2S 2S 2S 2S 2S", "AS KS QS JS 10S", "2S 2S 2S 3S 3S", "AS KS QS JS 9S", "AS KH QS JS 10S")
    assert rank(*hands, deck="each_stop") == [[0], [1], [2], [3], [4]]


def test_retired_seats_are_ranked_by_their_hands_below_the_others_and_do_not_cut() -> None:
    """POKER-23, TABLE-3"""
    gone = [{"seat": seat, **RETIRE} for seat in (0, 1, 2)]
    played = [*deal("AS AH", "KS KH", "AD AC"), *gone, *by_seat(3, draws("2S 3S 4S"))]
    options: dict[str, Any] = {"seats": 4, "turns": 3}
    found = answer(*played, **options)
    assert (found["ranking"], found["winners"]) == ([[3], [0, 2], [1]], [3])
    assert list_broken_rules(*played, cut(s0="AS", s2="KS"), **options)[0] == "POKER-18"
    low = answer(*deal("2S", "AS AH"), *gone[:2], seats=2, turns=3, goal="low")
    assert low["ranking"] == [[1], [0]]


def test_prizes_for_something_else_change_nothing() -> None:
    """POKER-24: where the same cards came makes no difference."""
    pair_at_one_stop = answer(draw("2S", "2H"), draw("3S", "9H"), cards=2, turns=2)
    assert pair_at_one_stop == answer(draw("2S", "3S"), draw("2H", "9H"), cards=2, turns=2)


def test_the_worked_hands_give_what_the_rules_say() -> None:
    """POKER-25"""
    assert get_score("KS KH KD 9C 9D") == 7200153
    assert get_digits("KS KH KD 9C 9D") == "6ddd99"
    assert get_score("5H 4H 3H 2H AH") == 8733473
    assert get_digits("5H 4H 3H 2H AH") == "854321"
    assert get_score("AS AH - - 9D") == 2025728
    assert get_digits("AS AH - - 9D") == "1ee900"
    assert get_digits("AS KS 9S 5S JOKER", jokers=1) == "5eed95"
    assert get_digits("AS KS 9S 5S JOKER", jokers=1, goal="low") == "0ed952"


# The clauses of every game


def test_there_is_no_order_among_the_hands_and_nobody_is_to_act() -> None:
    """TABLE-1"""
    assert answer(*deal("2S", "3S"), seats=2)["to_act"] is None
    assert answer(*by_seat(1, draws("3S")), *by_seat(0, draws("2S")), seats=2)["ok"]


def test_a_rider_may_go_home_at_any_time_and_keeps_the_hand() -> None:
    """TABLE-3"""
    state = play(*draws("2S 3S"), RETIRE)
    assert (GAME.standing(state, 0).total, GAME.standing(state, 0).status) == (0x032000, "retired")
    assert list_broken_rules(draw("2S"), RETIRE, draw("3S")) == ["TABLE-2"]
    options: dict[str, Any] = {"turns": 1, "extra": 1}
    assert GAME.is_finished(play(draw("2S"), RETIRE, **options))
    assert list_broken_rules(draw("2S"), STAND, RETIRE, **options) == ["TABLE-2"]


def test_the_clause_of_the_moment_comes_first_and_then_the_number_of_cards() -> None:
    """TABLE-4"""
    assert list_broken_rules(draw("2S"), draw("2S", "2S"), turns=1, extra=1) == ["POKER-2"]
    assert list_broken_rules(draw("2S"), extra("2S"), extra=1) == ["POKER-6"]
    assert list_broken_rules(draw("2S"), draw("2S", "3S")) == ["POKER-2", "POKER-4"]


# What can be read


NO_CARDS: list[Any] = [
    "", "S", "10", "1S", "11S", "14S", "ZS", "TS", "T S", "qs", "QS ", " QS", "QSQS", "10H\n", "DB", "Ä", "É",
    "10♥", "A♠", "🂡", "٢S", "Joker", "joker", "JOKER1", None, True, False, 2, 10.0, [], ["QS"], {}, {"QS": 1},
]  # fmt: skip


@pytest.mark.parametrize("card", NO_CARDS, ids=repr)
def test_what_is_no_card_cannot_be_read(card: Any) -> None:
    """POKER-3, POKER-20"""
    over = draw("2S")
    assert get_malformed_field({"type": "draw", "cards": ["QS", card]}, jokers=2) == "actions[0].cards[1]"
    bought = {"type": "extra", "card": card}
    assert get_malformed_field(over, bought, turns=1, extra=1, jokers=1) == "actions[1].card"


@pytest.mark.parametrize("jokers", [0, 1])
def test_a_joker_of_a_deck_without_jokers_cannot_be_read(jokers: int) -> None:
    """POKER-3"""
    played = [draw("JOKER"), {"type": "extra", "card": "JOKER"}]
    if jokers:
        assert answer(played[0], jokers=jokers)["hands"] == ["high_card"]
        return
    assert get_malformed_field(played[0]) == "actions[0].cards[0]"
    assert get_malformed_field(played[1]) == "actions[0].card"


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "draw"}, "cards"),
        ({"type": "draw", "cards": "QS"}, "cards"),
        ({"type": "draw", "cards": None}, "cards"),
        ({"type": "draw", "cards": {"0": "QS"}}, "cards"),
        ({"type": "draw", "card": "QS"}, "card"),
        ({"type": "draw", "cards": ["QS"], "extra": False}, "extra"),
        ({"type": "extra"}, "card"),
        ({"type": "extra", "cards": ["QS"]}, "cards"),
        ({"type": "stand", "card": "QS"}, "card"),
        ({"type": "forfeit", "cards": []}, "cards"),
        ({"type": "swap", "card": "QS"}, "type"),
        ({"type": ["draw"]}, "type"),
        ({}, "type"),
        ({"type": "draw", "seat": 1, "cards": ["QS"]}, "seat"),
        ({"type": "draw", "seat": True, "cards": ["QS"]}, "seat"),
    ],
)
def test_what_is_no_action_cannot_be_read(action: dict[str, Any], field: str) -> None:
    """POKER-20"""
    assert get_malformed_field(action) == f"actions[0].{field}"


def test_malformed_comes_before_illegal() -> None:
    """POKER-4, POKER-2"""
    assert get_malformed_field(draw("QS"), draw("QS", "XX")) == "actions[1].cards[1]"
    assert get_malformed_field(draw("QS"), {"type": "extra", "card": "JOKER"}) == "actions[1].card"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"turns": 0}, "turns"),
        ({"turns": 16}, "turns"),
        ({"turns": True}, "turns"),
        ({"turns": 5.0}, "turns"),
        ({"cards": 0}, "cards"),
        ({"cards": 4}, "cards"),
        ({"deck": "two"}, "deck"),
        ({"deck": None}, "deck"),
        ({"jokers": -1}, "jokers"),
        ({"jokers": 3}, "jokers"),
        ({"extra": 6}, "extra"),
        ({"goal": "lowest"}, "goal"),
        ({"goal": ["low"]}, "goal"),
        ({"ties": True}, "ties"),
        ({"suits": 4}, "suits"),
    ],
)
def test_options_have_the_values_of_the_rule_book(options: dict[str, Any], field: str) -> None:
    """POKER-2"""
    with pytest.raises(Malformed) as malformed:
        GAME.ruleset(options)
    assert malformed.value.field == f"options.{field}"
    for lowest in (
        {"turns": 1, "cards": 1, "jokers": 0, "extra": 0},
        {"turns": 15, "cards": 3, "jokers": 2, "extra": 5},
    ):
        GAME.ruleset(lowest)


# The sheet


def test_the_sheet_shows_the_cards_and_the_name_of_the_hand() -> None:
    """POKER-9"""
    cards, hand = GAME.sheet(play(*draws("KS - 9D JOKER"), jokers=1)).lines
    assert cards.cells[0].words is not None
    assert cards.cells[0].words.fill(cards.cells[0].params) == "K♠, 9♦, joker"
    assert (cards.cells[0].points, cards.cells[0].turns) == (3, (1, 3, 4))
    assert hand.cells[0].words is not None
    assert hand.cells[0].words.fill(hand.cells[0].params) == "Pair, K-K-9"
    assert hand.cells[0].points == GAME.standing(play(*draws("KS - 9D JOKER"), jokers=1), 0).total
    text, params = GAME.describe_total(0)
    assert isinstance(text, Text)
    assert text.fill(params) == "No cards"


def test_cards_are_bought_in_the_last_turn() -> None:
    """POKER-6"""
    options: dict[str, Any] = {"turns": 2, "extra": 2}
    assert [turn.dice for turn in GAME.turns(play(*draws("2S 3S"), **options), 0)] == [("2S",), ("3S",)]
    ended = GAME.turns(play(*draws("2S -"), extra("4S"), STAND, **options), 0)
    assert [(turn.dice, turn.how, turn.points) for turn in ended] == [(("2S",), "rolls", 1), (("4S",), "rolls", 1)]
    assert [turn.how for turn in GAME.turns(play(*draws("2S -")), 0)] == ["rolls", "missed"]
