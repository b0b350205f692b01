"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import transcript
from games.core.specs import DiceField, NumberField
from games.dice_run import GAME
from tests.games.dice_run.table import (
    FORFEIT,
    RETIRE,
    STOP,
    TARGET,
    by_seat,
    cut,
    get_malformed_field,
    get_malformed_option,
    get_spec,
    get_total_of,
    list_broken_rules,
    list_offered_types,
    list_problems,
    paper,
    papers,
    play,
    play_sheets,
    rank,
    throw,
)

WORKED = papers(19, 12, 22, 17, None)


# Sheets, turns and throws


def test_a_seat_is_one_sheet_and_sheets_do_not_affect_each_other() -> None:
    """DICE-1: a rider with two sheets has two seats."""
    state = play_sheets(papers(19, 12), papers(30), papers(19, 12))
    assert [GAME.standing(state, seat).total for seat in range(3)] == [31, 30, 31]
    assert GAME.independent


def test_a_sheet_has_five_turns_unless_the_contest_says_otherwise() -> None:
    """DICE-2, TABLE-2"""
    assert not GAME.is_finished(play(*papers(5, 5, 5, 5)))
    assert GAME.is_finished(play(*papers(5, 5, 5, 5, 5)))
    assert list_broken_rules(*papers(5, 5, 5, 5, 5, 5)) == ["TABLE-2"]
    assert GAME.is_finished(play(FORFEIT, turns=1))
    assert list_broken_rules(*[FORFEIT] * 16, turns=15) == ["TABLE-2"]
    assert GAME.slot_option == "turns"


def test_the_turns_fill_the_sheet_in_order() -> None:
    """DICE-2"""
    state = play(paper(19), throw(1, 2, 3, 4, 5), FORFEIT)
    lines = {line.key: line.cells[0] for line in GAME.sheet(state).lines}
    assert [(lines[f"turn_{n}"].points, lines[f"turn_{n}"].turns) for n in range(1, 6)] == [
        (19, (1,)),
        (15, (2,)),
        (0, (3,)),
        (None, ()),
        (None, ()),
    ]
    assert lines["total"].points == 34


@pytest.mark.parametrize("dice", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (1,) * 300])
def test_a_throw_takes_exactly_all_the_dice(dice: tuple[int, ...]) -> None:
    """DICE-3"""
    (problem,) = list_problems(throw(*dice))
    assert (problem.rule, problem.field, problem.code) == ("DICE-3", "dice", "wrong_number")
    assert "all 5 dice" in problem.message()


def test_how_many_dice_with_how_many_faces_are_thrown_is_the_contests_to_choose() -> None:
    """DICE-3"""
    assert get_total_of(throw(20, 19), dice=2, faces=20) == 39
    assert get_total_of(throw(4), dice=1, faces=4) == 4
    assert list_problems(throw(1, 2), dice=1)[0].message() == "One die is thrown here. You entered 2 dice."
    (field,) = get_spec(play(dice=3, faces=12), "throw").fields
    assert isinstance(field, DiceField)
    assert [face.face for face in field.faces] == list(range(1, 13))
    assert (field.count.low, field.count.high) == (3, 3)


@pytest.mark.parametrize(
    ("faces", "face"), [(6, 7), (4, 5), (20, 21), (6, 0), (6, -1), (6, True), (6, 2.0), (6, "3"), (6, None), (6, [1])]
)
def test_a_face_that_the_die_does_not_have_cannot_be_read(faces: int, face: Any) -> None:
    """DICE-3: malformed, not forbidden, also where the number of dice is wrong."""
    assert get_malformed_field(throw(face, 1, 1, 1, 1), faces=faces) == "actions[0].dice[0]"
    assert get_malformed_field(throw(1, face), faces=faces) == "actions[0].dice[1]"


def test_a_turn_has_as_many_throws_as_the_contest_allows_each_with_all_dice() -> None:
    """DICE-4"""
    state = play(throw(6, 6, 6, 6, 1), throw(1, 1, 1, 1, 1), throws=3)
    assert state.seats[0].throws == ((6, 6, 6, 6, 1), (1, 1, 1, 1, 1))
    assert list_broken_rules(throw(6, 6, 6, 6, 1), throw(6), throws=3) == ["DICE-3"]
    assert get_malformed_field({**throw(6), "keep": [6, 6, 6, 6]}, throws=3) == "actions[0].keep"


def test_a_throw_says_which_of_how_many_it_is() -> None:
    """DICE-4"""
    assert get_spec(play(), "throw").nth is None
    assert get_spec(play(throw(1, 1, 1, 1, 1), throws=3), "throw").nth == (2, 3)


def test_a_turn_ends_with_its_last_throw_or_when_the_player_stops() -> None:
    """DICE-5"""
    assert len(GAME.turns(play(throw(1, 2, 3, 4, 5)), 0)) == 1
    first, second = throw(1, 2, 3, 4, 5), throw(6, 6, 6, 6, 6)
    assert len(GAME.turns(play(first, second, throws=3), 0)) == 0
    assert [len(GAME.turns(play(*actions, throws=3), 0)) for actions in ([first, STOP], [first, second, first])] == [
        1,
        1,
    ]
    assert list_offered_types(play(first, throws=3)) == ["throw", "stop", "retire"]


def test_nobody_stops_before_the_first_throw() -> None:
    """DICE-5"""
    for actions in ([STOP], [throw(1, 2, 3, 4, 5), STOP, STOP]):
        (problem,) = list_problems(*actions, throws=2)
        assert (problem.rule, problem.code, problem.field) == ("DICE-5", "nothing_thrown", None)
    assert list_broken_rules(throw(1, 2, 3, 4, 5), STOP) == ["DICE-5"], "with one throw the turn has ended already"


def test_a_turn_is_worth_its_last_throw_or_its_best_one() -> None:
    """DICE-6"""
    actions = [throw(6, 6, 6, 6, 6), throw(1, 1, 1, 1, 1), throw(2, 2, 2, 2, 2)]
    assert get_total_of(*actions, throws=3) == 10
    assert get_total_of(*actions, throws=3, throw_counts="best") == 30
    assert get_total_of(*actions, throws=3, throw_counts="best", goal="low") == 5
    assert get_total_of(*actions[:2], STOP, throws=3, throw_counts="best") == 30
    (turn,) = GAME.turns(play(*actions, throws=3, throw_counts="best"), 0)
    assert (turn.dice, turn.points, turn.how) == ((6, 6, 6, 6, 6), 30, "rolls")


# The total, and who wins


def test_the_total_is_the_sum_of_all_turns_or_of_the_best() -> None:
    """DICE-7"""
    sums = papers(19, 12, 22, 17, 30)
    assert get_total_of(*sums) == 100
    assert get_total_of(*sums, counts=2) == 52
    assert get_total_of(*sums, counts=2, goal="low") == 29
    assert [get_total_of(*sums[:ended], counts=3) for ended in range(6)] == [0, 19, 31, 53, 58, 71]


def test_the_highest_total_wins() -> None:
    """DICE-8"""
    state = play_sheets(papers(20), papers(21), turns=1)
    assert GAME.winners(state) == (1,)
    assert rank(papers(20), papers(21, 5)) == [[1], [0]]


def test_the_lowest_total_wins() -> None:
    """DICE-9"""
    assert rank(papers(20), papers(21), papers(19), turns=1, goal="low") == [[2], [0], [1]]
    assert GAME.ruleset({"goal": "low"}).lowest_wins
    assert not GAME.ruleset().lowest_wins


def test_the_total_closest_to_the_target_wins_on_either_side() -> None:
    """DICE-10"""
    sheets = [papers(20), papers(16), papers(19), papers(18), papers(25)]
    assert rank(*sheets, turns=1, goal="target", target=18) == [[3], [2], [0, 1], [4]]


def test_a_missed_turn_is_worth_0_and_under_goal_low_the_most_that_the_dice_show() -> None:
    """DICE-11"""
    assert get_total_of(paper(5), FORFEIT) == 5
    assert get_total_of(paper(5), FORFEIT, **TARGET) == 5
    assert get_total_of(paper(5), FORFEIT, goal="low") == 35
    assert get_total_of(FORFEIT, goal="low", dice=10, faces=20) == 200
    (turn,) = GAME.turns(play(FORFEIT, goal="low"), 0)
    assert (turn.line, turn.points, turn.how) == (None, 30, "missed")
    assert "worth the most" in get_spec(play(goal="low"), "forfeit").label.fill()
    assert "worth 0" in get_spec(play(), "forfeit").label.fill()


def test_a_miss_is_never_better_than_the_worst_throw() -> None:
    """DICE-11"""
    assert rank(papers(5, 5), papers(5, None), turns=2) == [[0], [1]]
    assert rank(papers(30, 30), papers(30, None), turns=2, goal="low") == [[0, 1]]
    assert rank(papers(30, 30), papers(5, None), turns=2, goal="target", target=5) == [[0], [1]]


def test_with_a_target_fewer_missed_turns_rank_first() -> None:
    """DICE-12"""
    sheets = [papers(20, None), papers(5, 5), papers(None, None), papers(30, None)]
    assert rank(*sheets, turns=2, goal="target", target=20) == [[1], [0], [3], [2]]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "A missed turn is worth 0 points."),
        ({"goal": "low", "dice": 3}, "A missed turn is worth 18 points, the most that the dice can show."),
        (
            TARGET,
            "A missed turn is worth 0 points, and its sheet ranks below every sheet with fewer missed turns.",
        ),
    ],
)
def test_it_is_said_what_a_missed_turn_is_worth(options: dict[str, Any], sentence: str) -> None:
    """DICE-11, DICE-12"""
    text, params = GAME.describe_missed_turn(GAME.ruleset(options).setup)
    assert text.fill(params) == sentence


@pytest.mark.parametrize("options", [{"goal": "low"}, TARGET])
def test_with_goals_low_and_target_more_ended_turns_rank_first(options: dict[str, Any]) -> None:
    """DICE-13"""
    assert rank([], papers(30, 30), papers(None), papers(30), **options)[0] == [1]
    assert rank([], papers(None), **options) == [[1], [0]], "a missed turn is ended"
    assert GAME.ruleset(options).finished_first
    assert not GAME.ruleset().finished_first


def test_a_turn_can_be_recorded_by_a_sum_that_the_dice_can_show() -> None:
    """DICE-14"""
    assert [get_total_of(paper(total)) for total in (5, 19, 30)] == [5, 19, 30]
    for total in (4, 31, 0, -5, 10**300):
        (problem,) = list_problems(paper(total))
        assert (problem.rule, problem.field, problem.code) == ("DICE-14", "total", "impossible_total")
        assert problem.message() == "The dice cannot show this sum. Enter a sum from 5 to 30."
    assert list_broken_rules(paper(31), dice=1, faces=20) == ["DICE-14"]
    (field,) = get_spec(play(dice=3, faces=8), "paper").fields
    assert isinstance(field, NumberField)
    assert (field.low, field.high) == (3, 24)


@pytest.mark.parametrize("total", [True, 19.0, "19", None, [19], {}])
def test_a_sum_that_is_no_whole_number_cannot_be_read(total: Any) -> None:
    """DICE-14"""
    assert get_malformed_field({"type": "paper", "total": total}) == "actions[0].total"
    assert get_malformed_field({"type": "paper"}) == "actions[0].total"
    assert get_malformed_field({"type": "paper", "total": 19, "dice": [1]}) == "actions[0].dice"


TIED = [action for seat in range(3) for action in by_seat(seat, paper(20 if seat < 2 else 10))]


@pytest.mark.parametrize("options", [{}, {"goal": "low"}, {"goal": "target", "target": 20}], ids=str)
def test_tied_sheets_cut_cards_and_the_highest_card_is_best_under_every_goal(options: dict[str, Any]) -> None:
    """DICE-15"""
    place = 1 if options.get("goal") == "low" else 0
    state = play(*TIED, seats=3, turns=1, **options)
    assert GAME.ranking(state).groups[place] == (0, 1)
    assert [spec.type for spec in GAME.legal_actions(state, None)] == ["cut"]
    after = play(*TIED, cut(s0="2S", s1="AH"), seats=3, turns=1, **options)
    assert GAME.ranking(after).groups[place : place + 2] == ((1,), (0,))
    assert GAME.ruleset(options).tie_procedure == "cut_cards"


def test_all_tied_in_the_first_place_have_won_until_they_cut() -> None:
    """DICE-15"""
    assert GAME.winners(play(*TIED, seats=3, turns=1)) == (0, 1)
    assert GAME.winners(play(*TIED, cut(s0="KS", s1=None), seats=3, turns=1)) == (0,)


def test_equal_cards_are_cut_again_and_a_cut_is_for_one_tied_group() -> None:
    """DICE-15"""
    again = play(*TIED, cut(s0="KS", s1="KH"), cut(s0="3S", s1="4H"), seats=3, turns=1)
    assert GAME.winners(again) == (1,)
    for cards in ({"s0": "KS", "s2": "QS"}, {"s0": "KS", "s1": "3D", "s2": "QS"}, {"s0": "KS"}):
        assert list_broken_rules(*TIED, cut(**cards), seats=3, turns=1) == ["DICE-15"]
    assert list_broken_rules(*TIED, cut(s0="KS", s1="KS"), seats=3, turns=1) == ["DICE-15"]
    assert list_broken_rules(*TIED, cut(s0=None, s1=None), seats=3, turns=1) == ["DICE-15"]


def test_nobody_cuts_before_the_end() -> None:
    """DICE-15"""
    (problem, *_) = list_problems(*TIED[:2], cut(s0="KS", s1="QS"), seats=3, turns=1)
    assert (problem.rule, problem.code) == ("DICE-15", "not_finished")
    assert GAME.legal_actions(play(*TIED[:2], seats=3, turns=1), None) == ()


def test_nobody_cuts_where_ties_stay() -> None:
    """DICE-15"""
    ruleset = GAME.ruleset({"ties": "stay"})
    assert ruleset.tie_procedure == "stay_level"
    state = play(*TIED, seats=3, turns=1, ties="stay")
    assert GAME.winners(state) == (0, 1)
    assert GAME.legal_actions(state, None) == ()
    for before in ([], TIED):
        (problem,) = list_problems(*before, cut(s0="KS", s1="QS"), seats=3, turns=1, ties="stay")
        assert (problem.rule, problem.code) == ("DICE-15", "no_cards")


@pytest.mark.parametrize("ties", ["cut", "stay"])
def test_a_card_or_a_seat_that_is_not_there_cannot_be_read(ties: str) -> None:
    """DICE-15"""
    assert get_malformed_field(*TIED, cut(s0="1S", s1="QS"), seats=3, turns=1, ties=ties) == "actions[3].cards.0"
    assert get_malformed_field(*TIED, cut(s0="2S", s3="QS"), seats=3, turns=1, ties=ties) == "actions[3].cards.3"


# Rulings


@pytest.mark.parametrize("dice", [(3, 3, 3, 3, 3), (1, 2, 3, 4, 5), (5, 5, 1, 2, 2)])
def test_patterns_earn_nothing(dice: tuple[int, ...]) -> None:
    """DICE-16"""
    assert get_total_of(throw(*dice)) == 15


def test_a_running_turn_counts_nothing_and_is_lost_by_retiring() -> None:
    """DICE-17, TABLE-3"""
    running = [paper(12), throw(6, 6, 6, 6, 6)]
    assert get_total_of(*running, throws=2) == 12
    after = play(*running, RETIRE, throws=2)
    assert GAME.standing(after, 0).total == 12
    assert len(GAME.turns(after, 0)) == 1
    retired = [[*running, RETIRE], [paper(12), RETIRE]]
    for options in ({}, {"goal": "low"}, TARGET):
        assert rank(*retired, throws=2, **options) == [[0, 1]], "neither ended nor missed"


def test_retired_seats_rank_below_all_others_and_by_score_among_themselves() -> None:
    """DICE-18, TABLE-3"""
    sheets = [papers(30), [*papers(20), RETIRE], [*papers(10, 10, 10), RETIRE], papers(5)]
    assert rank(*sheets) == [[0], [3], [2], [1]]
    assert rank(*sheets, goal="low") == [[3], [0], [2], [1]]
    assert rank(*sheets, goal="target", target=20) == [[0], [3], [2], [1]]


def test_retired_seats_do_not_cut() -> None:
    """DICE-18, TABLE-3"""
    actions = [*by_seat(0, paper(9), RETIRE), *by_seat(1, paper(9), RETIRE)]
    state = play(*actions, seats=2)
    assert GAME.winners(state) == (0, 1)
    assert GAME.legal_actions(state, None) == ()
    assert list_broken_rules(*actions, cut(s0="KS", s1="QS"), seats=2) == ["DICE-15"]


def test_the_order_of_the_seats() -> None:
    """DICE-19"""
    sheets = [papers(20, 20), papers(18, None), papers(30), papers(25, 30), papers(None, None)]
    assert rank(*sheets) == [[3], [0], [2], [1], [4]]
    assert rank(*sheets, goal="low") == [[0], [1], [3], [4], [2]]
    assert rank(*sheets, goal="target", target=18) == [[0], [3], [1], [4], [2]]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"goal": "target"}, "options.target"),
        ({"goal": "target", "target": None}, "options.target"),
        ({"target": 75}, "options.target"),
        ({"target": 75, "goal": "low"}, "options.target"),
        ({"counts": 6}, "options.counts"),
        ({"counts": 3, "turns": 2}, "options.counts"),
        ({**TARGET, "counts": 3}, "options.counts"),
        ({**TARGET, "counts": 5}, "options.counts"),
        ({**TARGET, "throw_counts": "best"}, "options.throw_counts"),
        ({**TARGET, "throw_counts": "best", "throws": 3}, "options.throw_counts"),
    ],
    ids=str,
)
def test_options_that_contradict_each_other_cannot_be_read(options: dict[str, Any], field: str) -> None:
    """DICE-20"""
    assert get_malformed_option(**options) == field
    answer = transcript.score({"ruleset": "dice-run", "seats": ["A"], "options": options}, {"dice-run": GAME})
    assert (answer["code"], answer["rule"], answer["index"], answer["field"]) == ("malformed", None, None, field)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("turns", (0, 16, -1, True, 5.0, "5", None)),
        ("dice", (0, 11, False, None, [5])),
        ("faces", (0, 2, 5, 7, 9, 11, 18, 21, 100, True, 6.0, "6", None)),
        ("throws", (0, 6, True, None)),
        ("throw_counts", ("first", "", None, 1, True)),
        ("goal", ("most", None, 0, ["high"])),
        ("target", (0, 3001, -5, True, 88.0, "88")),
        ("counts", (0, 16, -1, True, 3.0, "3")),
        ("ties", ("share", None, False)),
    ],
)
def test_an_option_out_of_its_range_cannot_be_read(name: str, values: tuple[Any, ...]) -> None:
    """DICE-20: of an option, and before that whether options fit each other."""
    for value in values:
        assert get_malformed_option(**{name: value}) == f"options.{name}"
    assert get_malformed_option(die=6) == "options.die"


def test_options_that_say_nothing_are_allowed() -> None:
    """DICE-20"""
    assert get_total_of(throw(1, 2, 3, 4, 5), throw_counts="best") == 15
    assert get_total_of(*papers(1, 2), dice=1, turns=2, counts=2, target=None) == 3
    for faces in (4, 6, 8, 10, 12, 20):
        assert get_total_of(throw(faces), dice=1, faces=faces) == faces


def test_the_zero_of_a_ten_sided_die_is_recorded_as_10() -> None:
    """DICE-21"""
    assert get_total_of(throw(10, 1), dice=2, faces=10) == 11
    assert get_malformed_field(throw(0, 1), dice=2, faces=10) == "actions[0].dice[0]"


def test_a_turn_that_has_begun_is_neither_missed_nor_recorded_by_its_sum() -> None:
    """DICE-22, TABLE-4"""
    begun = throw(1, 2, 3, 4, 5)
    assert [(p.rule, p.code) for p in list_problems(begun, FORFEIT, throws=2)] == [("DICE-11", "forfeit_after_throw")]
    assert [(p.rule, p.code) for p in list_problems(begun, paper(19), throws=2)] == [("DICE-14", "paper_after_throw")]
    assert list_broken_rules(begun, paper(99), throws=2) == ["DICE-14", "DICE-14"]
    assert get_total_of(begun, paper(19)) == 34, "the next turn"
    assert "1, 2, 3, 4, 5" in list_problems(begun, FORFEIT, throws=2)[0].message()


def test_side_prizes_change_nothing() -> None:
    """DICE-23: what they are read off is on the sheet."""
    turns = GAME.turns(play(throw(6, 6, 6, 6, 6), throw(1, 2, 3, 4, 5)), 0)
    assert [turn.dice for turn in turns] == [(6, 6, 6, 6, 6), (1, 2, 3, 4, 5)]
    assert rank([throw(6, 6, 6, 6, 6)], papers(30)) == [[0, 1]]


def test_the_worked_sheet_has_the_totals_of_the_rule_book() -> None:
    """DICE-24"""
    assert get_total_of(*WORKED) == 70
    assert get_total_of(*WORKED, counts=3) == 58
    assert get_total_of(*WORKED, goal="low") == 100
    assert get_total_of(*WORKED, goal="low", counts=3) == 48
    assert get_total_of(*WORKED, **TARGET) == 70
    assert rank(WORKED, papers(30, 30, 30, 30, 30), papers(12, 12, 12, 12, None), **TARGET) == [[1], [0], [2]]
    assert GAME.standing(play(*WORKED, **TARGET), 0).key == (5, -1, -5)


# The clauses of every game


def test_there_is_no_order_among_the_sheets_and_nobody_is_to_act() -> None:
    """TABLE-1"""
    state = play(*by_seat(1, throw(1, 1, 1, 1, 1)), *by_seat(0, *papers(5, 6)), *by_seat(1, STOP), seats=2, throws=2)
    assert [len(GAME.turns(state, seat)) for seat in (0, 1)] == [2, 1]
    assert GAME.to_act(state) is None


def test_a_finished_sheet_accepts_no_action_not_even_retiring() -> None:
    """TABLE-2"""
    for action in (throw(1, 1, 1, 1, 1), STOP, paper(5), FORFEIT, RETIRE):
        assert list_broken_rules(paper(9), action, turns=1) == ["TABLE-2"]
    assert list_offered_types(play(paper(9), turns=1)) == []


def test_when_everybody_has_retired_the_first_of_them_has_won() -> None:
    """TABLE-3"""
    state = play_sheets([paper(9), RETIRE], [paper(10), RETIRE])
    assert GAME.is_finished(state)
    assert GAME.winners(state) == (1,)


def test_of_one_action_what_cannot_be_read_comes_before_what_is_forbidden() -> None:
    """TABLE-4"""
    begun = throw(1, 2, 3, 4, 5)
    assert get_malformed_field(begun, {"type": "forfeit", "why": 1}, throws=2) == "actions[1].why"
    assert get_malformed_field(begun, {"type": "stop", "dice": []}) == "actions[1].dice"
    assert get_malformed_field({"type": "roll", "dice": [1]}) == "actions[0].type"
    assert get_malformed_field({"type": "throw"}) == "actions[0].dice"
    assert get_malformed_field({"type": "throw", "dice": 6}) == "actions[0].dice"
    assert list_broken_rules(throw(1, 1), throws=2) == ["DICE-3"]
