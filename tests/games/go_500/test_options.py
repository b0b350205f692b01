"""The options of a race: their notation, their values after reading, and malformed options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.core import transcript
from games.core.options import read_options
from games.core.problems import Malformed
from games.go_500 import GAME
from tests.games.go_500.options import OPTIONS
from tests.games.go_500.table import get_malformed_field, get_total_of, list_scores, lock, play, roll, start

CORNER = {"name": "Corner", "limit": 60}
BOTH = {"1": 60, "2": None}


def one(segment: Any) -> dict[str, Any]:
    """Return options with a course of this single segment."""
    return {"course": {"name": "Test", "segments": [segment]}}


def die(colour: str, *faces: Any) -> dict[str, Any]:
    """Return options with a kit of this single die."""
    return {"kit": {colour: list(faces)}}


def test_a_course_is_read_into_limits_for_both_weathers_however_it_was_written() -> None:
    """GO-1"""
    read = GAME.ruleset(one(CORNER)).options["course"]
    assert read == {"name": "Test", "segments": ({"name": "Corner", "limits": {"1": 60, "2": 60}},)}
    assert GAME.ruleset(one({"name": "Corner", "limits": {"1": 60, "2": 60}})).options["course"] == read
    (segment,) = GAME.ruleset(one({"name": "Corner", "limit": None})).options["course"]["segments"]
    assert segment["limits"] == {"1": None, "2": None}


def test_the_course_of_the_house() -> None:
    """GO-1"""
    good, poor = (GAME.ruleset({"template": template}).setup.course for template in ("1", "2"))
    assert good.name == "Club 500"
    names = ["Grid straight", "Turn 1", "Back straight", "Chicane", "Long sweeper", "Finish straight"]
    assert [segment.name for segment in good.segments] == [segment.name for segment in poor.segments] == names
    assert [segment.limit for segment in good.segments] == [None, 90, None, 60, 110, None]
    assert [segment.limit for segment in poor.segments] == [None, 70, None, 45, 90, None]


def test_a_colour_left_out_of_the_kit_and_a_circle_left_out_of_a_face_keep_their_defaults() -> None:
    """GO-16"""
    read = GAME.ruleset(die("black", {"face": "9", "value": 9})).options["kit"]
    assert read["black"] == ({"face": "9", "value": 9, "circled": False},)
    default = GAME.ruleset().options["kit"]
    assert [read[colour] == default[colour] for colour in ("black", "green", "yellow", "red")] == [False, *[True] * 3]
    assert GAME.ruleset({"kit": {}}).options == GAME.ruleset().options


@pytest.mark.parametrize(
    "options",
    [{}, *OPTIONS, *(preset.options for preset in GAME.presets), one(CORNER), one({"name": "A", "limits": BOTH})],
    ids=str,
)
def test_what_was_read_reads_back_to_itself_from_json(options: dict[str, Any]) -> None:
    read = GAME.ruleset(options).options
    assert GAME.ruleset(json.loads(json.dumps(read))).options == read
    assert read_options(GAME.declared_options, json.loads(json.dumps(dict(read)))) == read


def test_a_whole_number_means_the_label_in_its_usual_notation_and_no_other() -> None:
    """GO-16"""
    labels = {"30": 1, "030": 2, "+5": 4, "-0": 8, "٣": 16, "1_0": 32, " 7": 64}
    kit = die("black", *({"face": label, "value": value} for label, value in labels.items()))
    for label, value in labels.items():
        assert get_total_of(start(1, 0), roll(label), lock(label), **kit) == value
    assert get_total_of(start(1, 0), roll(30), lock("30"), **kit) == 1
    for number in (5, 0, 3, 10, 7, 10**300, -(10**300)):
        assert get_malformed_field(start(1, 0), roll(number), **kit) == "actions[1].black[0]"
    written = {"type": "roll", "black": ["30", "030"], "flag": "green"}
    ruleset = GAME.ruleset(kit)
    assert ruleset.write_action(ruleset.read_action(written, 1))["black"] == [30, "030"]


def test_a_label_may_be_any_text_and_values_any_size() -> None:
    """GO-16"""
    kit = die("black", {"face": "100 %(x)s", "value": 10**30}) | one({"name": "50% %(of)s", "limit": None})
    state = play(start(1, 0), roll("100 %(x)s"), lock("100 %(x)s"), **kit)
    assert GAME.standing(state, 0).total == 10**30
    sheet = GAME.sheet(state)
    assert (sheet.lines[0].label.fill(), sheet.totals) == ("50% %(of)s", (10**30,))
    (spec, _) = GAME.legal_actions(play(start(1, 0), **kit), 0)
    assert spec.fields[0].faces[0].word.fill() == "100 %(x)s"  # type: ignore[union-attr]


def test_the_presets_are_poor_weather_a_short_course_and_no_rerolls() -> None:
    options = {preset.key: preset.options for preset in GAME.presets}
    assert list(options) == ["poor_weather", "short_course", "no_rerolls"]
    assert GAME.ruleset(options["poor_weather"]).setup.course.segments[1].limit == 70
    assert list_scores(**options["short_course"]) == [None, None, None]
    assert GAME.ruleset(options["no_rerolls"]).setup.rerolls == 0


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rerolls": -1}, "rerolls"),
        ({"rerolls": 21}, "rerolls"),
        ({"rerolls": True}, "rerolls"),
        ({"rerolls": None}, "rerolls"),
        ({"template": 1}, "template"),
        ({"template": "3"}, "template"),
        ({"course": None}, "course"),
        ({"course": {"segments": [CORNER]}}, "course.name"),
        ({"course": {"name": "Test"}}, "course.segments"),
        ({"course": {"name": "Test", "segments": []}}, "course.segments"),
        ({"course": {"name": "Test", "segments": [CORNER] * 51}}, "course.segments"),
        ({"course": {"name": "Test", "segments": [CORNER], "template": "1"}}, "course.template"),
        ({"course": {"name": " ", "segments": [CORNER]}}, "course.name"),
        ({"course": {"name": "T" * 81, "segments": [CORNER]}}, "course.name"),
        (one([]), "course.segments[0]"),
        (one({"limit": 60}), "course.segments[0].name"),
        (one({"name": 1, "limit": 60}), "course.segments[0].name"),
        (one({"name": "", "limit": 60}), "course.segments[0].name"),
        (one({"name": "Corner"}), "course.segments[0].limit"),
        (one({"name": "Corner", "limit": 1001}), "course.segments[0].limit"),
        (one({"name": "Corner", "limit": -1}), "course.segments[0].limit"),
        (one({"name": "Corner", "limit": False}), "course.segments[0].limit"),
        (one({"name": "Corner", "limit": 60.0}), "course.segments[0].limit"),
        (one(CORNER | {"limits": BOTH}), "course.segments[0].limit"),
        (one(CORNER | {"speed": 1}), "course.segments[0].speed"),
        (one({"name": "Corner", "limits": {"1": 60}}), "course.segments[0].limits.2"),
        (one({"name": "Corner", "limits": {"1": 60, "2": 1001}}), "course.segments[0].limits.2"),
        (one({"name": "Corner", "limits": BOTH | {"3": 1}}), "course.segments[0].limits.3"),
        (one({"name": "Corner", "limits": None}), "course.segments[0].limits"),
        ({"kit": []}, "kit"),
        ({"kit": {"white": [{"face": "green", "value": 0}]}}, "kit.white"),
        (die("black"), "kit.black"),
        (die("black", *({"face": str(n), "value": n} for n in range(21))), "kit.black"),
        (die("black", "30"), "kit.black[0]"),
        (die("black", {"face": 30, "value": 30}), "kit.black[0].face"),
        (die("black", {"face": "", "value": 30}), "kit.black[0].face"),
        (die("black", {"face": "30"}), "kit.black[0].value"),
        (die("black", {"value": 30}), "kit.black[0].face"),
        (die("black", {"face": "30", "value": -1}), "kit.black[0].value"),
        (die("green", {"face": "5", "value": 5}, {"face": "6", "value": -1}), "kit.green[1].value"),
        (die("black", {"face": "30", "value": 30, "circled": 1}), "kit.black[0].circled"),
        (die("black", {"face": "5", "value": 5}, {"face": "5", "value": 6}), "kit.black[1].face"),
        (die("green", {"face": "flat", "value": 5}), "kit.green[0].value"),
        (die("yellow", {"face": "lights", "value": -5}), "kit.yellow[0].value"),
        (die("yellow", {"face": "-5", "value": 5}), "kit.yellow[0].value"),
        (die("yellow", {"face": "-5", "value": -5, "circled": False}), "kit.yellow[0].circled"),
        (die("red", {"face": "crash", "value": -1}), "kit.red[0].value"),
        (die("red", {"face": "x", "value": -1}), "kit.red[0].value"),
        (die("red", {"face": "0", "value": 1}), "kit.red[0].value"),
        ({"dice": 5}, "dice"),
    ],
)
def test_an_option_out_of_its_range_is_reported_before_everything(options: dict[str, Any], field: str) -> None:
    answer = transcript.score(
        {"ruleset": "go-500", "options": options, "seats": ["Ann"], "actions": [{"type": "stop"}]}, {"go-500": GAME}
    )
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, f"options.{field}")


@pytest.mark.parametrize(
    "options",
    [
        one({"name": "C" * 80, "limits": {"1": 0, "2": 1000}}),
        {"course": {"name": "Test", "segments": [CORNER] * 50}},
        die("black", *({"face": str(n), "value": 0} for n in range(20))),
        die("green", {"face": "crash", "value": 9}, {"face": "flat", "value": 0}),
        die("yellow", {"face": "crash", "value": -9}, {"face": "0", "value": 0}),
        die("red", {"face": "lights", "value": -(10**30)}),
        {"rerolls": 0},
        {"rerolls": 20},
    ],
    ids=lambda options: str(options)[:60],
)
def test_the_ends_of_each_range_belong_to_it(options: dict[str, Any]) -> None:
    assert GAME.start(GAME.ruleset(options), 1).seats


def test_a_penalty_above_0_is_explained() -> None:
    with pytest.raises(Malformed) as caught:
        GAME.ruleset(die("red", {"face": "10", "value": 10}))
    assert caught.value.message() == "A penalty is added, so this must be 0 or less."
