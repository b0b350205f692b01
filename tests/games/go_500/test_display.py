"""The pictures of a race, checked against the race at every moment."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.core.text import Text
from games.go_500 import GAME
from games.go_500.display import BAR, LIMIT_AT, place_on_bar
from games.go_500.scoring import count_red_rolls
from tests.games.go_500.options import OPTIONS
from tests.games.go_500.table import (
    Action,
    by_seat,
    lock,
    make_course_option,
    penalty,
    play,
    reroll,
    roll,
    roll_penalties_together,
    score_segment,
    start,
)
from tests.games.sampling import walk

RULESETS = [GAME.ruleset(options) for options in ({}, *(preset.options for preset in GAME.presets), *OPTIONS)]
LONG = {"course": {"name": "Long", "segments": [{"name": f"Part {n}", "limit": n} for n in range(1, 51)]}}


def show(*actions: Action, **options: Any) -> Any:
    """Return the picture of one seat after actions that must all be legal."""
    return GAME.display(play(*by_seat(0, *actions), **options))["seats"][0]


@pytest.mark.parametrize("ruleset", RULESETS, ids=range(len(RULESETS)))
@pytest.mark.parametrize("seed", range(6))
def test_at_every_moment_of_a_random_race_the_picture_is_plain_and_says_what_the_sheet_says(
    ruleset: Ruleset, seed: int
) -> None:
    for moment in walk(ruleset, 2, Random(seed)):
        shown = GAME.display(moment.state)
        json.dumps(shown, default=_text)
        cells = {line.key: [cell.points for cell in line.cells] for line in GAME.sheet(moment.state).lines}
        for number, seat in enumerate(shown["seats"]):
            standing = GAME.standing(moment.state, number)
            assert seat["total"] == standing.total
            assert seat["rerolls"] == cells["rerolls"][number]
            assert (seat["running"] is not None) == (standing.status == "playing")
            assert seat["before"] + len(seat["segments"]) + seat["after"] == seat["length"]
            if seat["running"]:
                assert seat["running"]["total"] == (cells["stands_at"][number] or 0)
                assert seat["running"]["limit"] == cells["limit"][number]
            for segment in seat["segments"]:
                if segment["state"] == "done":
                    assert segment["score"] == cells[f"segment_{segment['number']}"][number]


def _text(value: object) -> str:
    assert isinstance(value, Text)
    return value.fill()


def test_a_segment_is_done_here_or_ahead() -> None:
    seat = show(*score_segment(20), start())
    assert [segment["state"] for segment in seat["segments"]] == ["done", "here", *["ahead"] * 4]
    assert seat["segments"][0]["score"] == 20


def test_what_a_retired_seat_did_not_race_is_left_out() -> None:
    seat = show(*score_segment(20), {"type": "retire"})
    assert [segment["state"] for segment in seat["segments"]] == ["done", *["left_out"] * 5]
    assert seat["running"] is None


def test_a_circled_x_on_the_second_roll_leaves_the_rest_out() -> None:
    # GO-25
    seat = show(start(1, 0), roll(5, flag="red"), {"type": "stand"}, roll_penalties_together("x", "x"))
    assert seat["is_over"]
    assert [segment["state"] for segment in seat["segments"]] == ["done", *["left_out"] * 5]


def test_a_long_course_is_shown_around_the_running_segment() -> None:
    seat = show(*[action for _ in range(20) for action in score_segment()], **LONG)
    assert [segment["number"] for segment in seat["segments"]] == [18, 19, 20, 21, 22, 23, 24, 25, 26]
    assert (seat["before"], seat["after"]) == (17, 24)


def test_the_dice_left_to_roll_and_the_sum_locked_are_shown() -> None:
    # GO-14
    running = show(start(), roll(5, 10, 15, 20, 25, green=5), lock(25, 20, green=True))["running"]
    assert (running["moment"], running["locked"], running["black"]) == ("hand", 50, 3)
    assert not running["green"]
    assert running["no_green"] == "GO-14"


def test_a_roll_shows_its_dice_with_rings_and_marks() -> None:
    running = show(start(2, 1), roll(30, 5, green="flat"))["running"]
    assert running["dice"] == [
        {"face": "30", "colour": "black", "mark": "", "is_circled": True},
        {"face": "5", "colour": "black", "mark": "", "is_circled": False},
        {"face": "flat", "colour": "green", "mark": "flat", "is_circled": False},
    ]


@pytest.mark.parametrize("flag", ["green", "yellow", "red", "black"])
def test_a_roll_shows_its_flag(flag: str) -> None:
    assert show(start(1, 0), roll(5, flag=flag))["running"]["flag"] == flag


def test_six_circled_dice_show_no_flag() -> None:
    # GO-7: the flag does not matter.
    running = show(start(), roll(*[30] * 5, green=25, flag="black"))["running"]
    assert (running["end"], running["flag"]) == ("GO-7", None)


def test_above_the_limit_the_red_rolls_to_come_are_counted() -> None:
    # GO-13
    running = show(start(5, 0), roll(25, 25, 25, 25, 30), course=make_course_option(90))["running"]
    assert running["red_rolls"] == 2
    assert running["bar"]["over"] == 40


def test_no_red_rolls_are_announced_under_another_flag() -> None:
    # GO-19
    running = show(start(5, 0), roll(25, 25, 25, 25, 30, flag="yellow"), course=make_course_option(90))["running"]
    assert running["red_rolls"] == 0


def test_a_first_crash_calls_for_a_second_roll() -> None:
    # GO-11
    to_penalty = [start(1, 0), roll(5, flag="red"), {"type": "stand"}]
    assert show(*to_penalty, penalty("crash"))["running"]["calls_again"]
    assert not show(*to_penalty, penalty(-10))["running"]["calls_again"]
    second = show(*to_penalty, penalty("crash"), {"type": "stand"}, penalty("crash"))["running"]
    assert second["is_second"]
    assert not second["calls_again"]


def test_a_spent_reroll_is_gone() -> None:
    assert show(start(1, 0), roll(5), reroll(10))["rerolls"] == 1


def test_a_segment_without_limit_has_no_bar() -> None:
    assert "bar" not in show(start())["running"]


@pytest.mark.parametrize("limit", [0, 1, 45, 90, 1000])
def test_the_bar_shows_on_which_side_of_the_limit_a_total_lies_and_in_which_band(limit: int) -> None:
    # GO-13, GO-18
    for total in range(-50, limit + 1):
        assert 0 <= place_on_bar(limit, total) <= LIMIT_AT
    bar = show(start(1, 0), course=make_course_option(limit))["running"]["bar"]
    for total in range(limit + 1, limit + 200):
        at = place_on_bar(limit, total)
        assert LIMIT_AT < at <= BAR
        band = max((band for band in bar["bands"] if band["at"] <= at), key=lambda band: band["at"])
        assert band["rolls"] == count_red_rolls(total - limit)


@pytest.mark.parametrize("ruleset", RULESETS, ids=range(len(RULESETS)))
def test_the_preview_shows_every_segment_and_every_face(ruleset: Ruleset) -> None:
    shown: Any = GAME.preview(ruleset.setup)
    json.dumps(shown, default=_text)
    assert [segment["limit"] for segment in shown["segments"]] == [one.limit for one in ruleset.setup.course.segments]
    assert {die["colour"]: len(die["faces"]) for die in shown["dice"]} == {
        colour: len(getattr(ruleset.setup, colour).values) for colour in ("black", "green", "yellow", "red")
    }
