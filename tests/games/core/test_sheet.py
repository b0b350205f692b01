"""Lines of turns, by the slots that who shows a sheet knows."""

from __future__ import annotations

from games.core.sheet import place_turn, place_turns
from games.dice_run import GAME as DICE_RUN
from games.rock_yahtzee import GAME as ROCK
from tests.games.dice_run.table import papers, play


def test_a_turn_is_in_the_line_of_its_slot() -> None:
    """DICE-2: the second stop was left out, so the second turn that ended is that of the third."""
    state = play(*papers(19, 12))
    lines = DICE_RUN.sheet(state).lines

    placed = place_turns(lines, [1, 3])

    assert [line.key for line in placed] == [line.key for line in lines]
    assert [line.cells[0].points for line in placed] == [19, None, 12, None, None, 31]
    assert [line.cells[0].turns for line in placed if line.turn] == [(1,), (), (2,), (), ()]
    first, second = DICE_RUN.turns(state, 0)
    assert [place_turn(lines, 1, first).line, place_turn(lines, 3, second).line] == ["turn_1", "turn_3"]
    assert place_turns(lines, [1, 2]) == lines
    assert place_turns(lines, [1, 9]) == lines, "a slot beyond the sheet changes nothing"


def test_a_missed_turn_keeps_its_place() -> None:
    (_first, missed) = DICE_RUN.turns(play(*papers(19, None)), 0)
    lines = DICE_RUN.sheet(play(*papers(19, None))).lines

    assert [line.cells[0].points for line in place_turns(lines, [2, 4])][:4] == [None, 19, None, 0]
    assert place_turn(lines, 4, missed) == missed


def test_lines_that_no_turn_has_to_itself_stay() -> None:
    lines = ROCK.sheet(ROCK.start(ROCK.ruleset(), 1)).lines
    assert place_turns(lines, [1, 3]) == lines
