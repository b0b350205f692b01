"""The notation of actions, and the offers at each moment."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.specs import ChoiceField, Count, DiceField, FlagField, NumberField, PickField
from games.go_500 import GAME
from tests.games.go_500.table import (
    ALL_CIRCLED,
    STAND,
    get_cells,
    get_malformed_field,
    list_specs,
    lock,
    make_course_option,
    penalty,
    play,
    roll,
    roll_penalties_together,
    score_segment,
    start,
)

CRASHED = [start(5, 0), roll(30, 30, 30, 30, 25), STAND]
OVER_120 = make_course_option(25)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "start"}, "black"),
        ({"type": "start", "black": 5}, "green"),
        ({"type": "start", "black": 5, "green": True}, "green"),
        ({"type": "start", "black": 5.0, "green": 1}, "black"),
        ({"type": "start", "black": 5, "green": 1, "flag": "green"}, "flag"),
        ({"type": "roll", "black": [5]}, "flag"),
        ({"type": "roll", "black": [5], "flag": "blue"}, "flag"),
        ({"type": "roll", "black": [5], "flag": None}, "flag"),
        ({"type": "roll", "black": 5, "flag": "green"}, "black"),
        ({"type": "roll", "black": [5, 7], "flag": "green"}, "black[1]"),
        ({"type": "roll", "black": ["flat"], "flag": "green"}, "black[0]"),
        ({"type": "roll", "black": [True], "flag": "green"}, "black[0]"),
        ({"type": "roll", "black": [5.0], "flag": "green"}, "black[0]"),
        ({"type": "roll", "black": [[5]], "flag": "green"}, "black[0]"),
        ({"type": "roll", "green": 30, "flag": "green"}, "green"),
        ({"type": "roll", "green": None, "flag": "green"}, "green"),
        ({"type": "roll", "green": False, "flag": "green"}, "green"),
        ({"type": "roll", "green": [5], "flag": "green"}, "green"),
        ({"type": "reroll", "faces": [-5]}, "faces"),
        ({"type": "reroll", "face": 5}, "face"),
        ({"type": "reroll", "face": None}, "face"),
        ({"type": "lock", "black": [35]}, "black[0]"),
        ({"type": "lock", "green": 1}, "green"),
        ({"type": "lock", "green": None}, "green"),
        ({"type": "stand", "why": "enough"}, "why"),
        ({"type": "penalty"}, "face"),
        ({"type": "penalty", "face": -10, "faces": [-10]}, "faces"),
        ({"type": "penalty", "face": -11}, "face"),
        ({"type": "penalty", "face": 10}, "face"),
        ({"type": "penalty", "faces": -10}, "faces"),
        ({"type": "penalty", "faces": [-10, "Crash"]}, "faces[1]"),
        ({"type": "stop"}, "type"),
        ({"type": "cut", "cards": {}}, "type"),
        ({}, "type"),
    ],
)
def test_malformed_data_names_the_field(action: dict[str, Any], field: str) -> None:
    assert get_malformed_field(action) == f"actions[0].{field}"


def test_a_face_is_written_as_its_label_or_as_the_number_that_it_spells() -> None:
    entries = [start(2, 1), roll("30", 20, green="25"), lock("20", green=True), roll("5", flag="red"), STAND]
    assert get_cells(*entries, penalty("-10"))["stands_at"].points == 50
    ruleset = GAME.ruleset()
    for action in (roll("30", 20, green="25"), lock("20", 30), penalty("-10"), roll_penalties_together("-10", "crash")):
        written = ruleset.write_action(ruleset.read_action(action, 1))
        faces = [*written.get("black", []), *written.get("faces", []), written.get("face"), written.get("green")]
        assert {type(face) for face in faces if face not in (None, "crash")} == {int}


def test_the_choice_of_dice_is_offered_as_two_numbers() -> None:
    (spec,) = list_specs()
    assert all(isinstance(field, NumberField) for field in spec.fields)
    assert [(f.name, f.low, f.high) for f in spec.fields] == [("black", 0, 5), ("green", 0, 1)]  # type: ignore[union-attr]


def test_a_roll_is_offered_with_the_dice_in_play_alone() -> None:
    (spec,) = list_specs(start(3, 1))
    black, green, flag = spec.fields
    assert isinstance(black, DiceField)
    assert (black.count, black.single) == (Count(3, 3), False)
    assert [(face.face, face.word.fill()) for face in black.faces] == [
        (5, "5"), (10, "10"), (15, "15"), (20, "20"), (25, "25"), (30, "30 ○"),
    ]  # fmt: skip
    assert isinstance(green, DiceField)
    assert green.single
    assert [face.face for face in green.faces] == ["flat", 5, 10, 15, 20, 25]
    assert green.faces[0].word.fill() == "flat tyre"
    assert isinstance(flag, DiceField)
    assert [face.face for face in flag.faces] == ["green", "yellow", "red", "black"]
    assert [[field.name for field in one.fields] for one in list_specs(start(0, 0))] == [["flag"]]
    assert [[field.name for field in one.fields] for one in list_specs(start(0, 1))] == [["green", "flag"]]


def test_every_set_of_black_dice_may_be_locked_with_the_green_one_or_without_and_the_green_one_alone() -> None:
    with_black, alone, _ = list_specs(start(3, 1), roll(30, 30, 5, green=20))
    pick, green = with_black.fields
    assert isinstance(pick, PickField)
    assert {one.dice: one.points for one in pick.picks} == {
        (30,): 30, (5,): 5, (30, 30): 60, (30, 5): 35, (30, 30, 5): 65,
    }  # fmt: skip
    assert len(pick.picks) == 5
    assert isinstance(green, FlagField)
    assert not green.required
    assert [field.name for field in alone.fields if isinstance(field, FlagField) and field.required] == ["green"]
    (flat, _) = list_specs(start(3, 1), roll(30, 30, 5, green="flat"))
    assert [field.name for field in flat.fields] == ["black"]
    five = list_specs(start(5, 0), roll(5, 10, 15, 20, 25))[0].fields[0]
    assert isinstance(five, PickField)
    assert len(five.picks) == 31


def test_penalty_rolls_are_offered_one_by_one_or_as_many_together_as_are_due() -> None:
    (spec,) = list_specs(*CRASHED, roll_penalties_together(*["crash"] * 5), course=OVER_120)
    one, more = spec.fields
    assert spec.one_of == ("face", "faces")
    assert isinstance(one, DiceField)
    assert isinstance(more, DiceField)
    assert one.single
    assert more.count == Count(1, 14)
    assert [face.face for face in one.faces] == ["crash", "x", -10, -20, -30, -40]
    (yellow,) = list_specs(start(0, 0), roll(flag="yellow"), STAND)
    assert yellow.fields[0].faces[0].word.fill() == "traffic lights"  # type: ignore[union-attr]


def test_accepting_says_what_is_accepted_and_a_reroll_is_offered_while_one_is_left() -> None:
    stand, reroll = list_specs(start(), roll(*ALL_CIRCLED, green=25))
    assert stand.label.fill() == "Accept 175 and race the segment once more"
    assert [field.name for field in reroll.fields] == ["black", "green", "flag"]
    assert [spec.type for spec in list_specs(start(0, 0), roll(), rerolls=0)] == ["stand"]
    _, reroll = list_specs(*CRASHED, penalty(-10), course=OVER_120)
    assert [field.name for field in reroll.fields] == ["face"]
    assert not any(isinstance(field, ChoiceField) for spec in list_specs() for field in spec.fields)


def test_the_sheet_has_a_line_for_each_segment_and_the_score_of_the_running_one() -> None:
    state = play(*score_segment(20), start(2, 0), roll(30, 5), lock(30))
    lines = {line.key: line for line in GAME.sheet(state).lines}
    assert list(lines) == [*(f"segment_{n}" for n in range(1, 7)), "total", "rerolls", "limit", "stands_at"]
    assert [lines[key].cells[0].points for key in ("segment_1", "segment_2", "segment_3")] == [20, None, None]
    assert [lines[key].cells[0].points for key in ("total", "rerolls", "limit", "stands_at")] == [20, 2, 90, 30]
    assert (lines["segment_2"].label.fill(), lines["segment_2"].section.fill()) == ("Turn 1", "Club 500")  # type: ignore[union-attr]


def test_the_running_lines_are_empty_between_segments_and_after_the_last() -> None:
    at_the_grid = get_cells()
    assert (at_the_grid["limit"].points, at_the_grid["stands_at"].points) == (None, None)
    over = get_cells(*CRASHED, roll_penalties_together(*["crash"] * 30), penalty("crash"), course=OVER_120)
    assert (over["limit"].points, over["stands_at"].points) == (25, 145)
    done = get_cells(*CRASHED, roll_penalties_together(*["crash"] * 32), course=OVER_120)
    assert (done["limit"].points, done["stands_at"].points, done["total"].points) == (None, None, 145)
