"""The pictures of a drive, checked against the drive at every moment."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.core.text import Text
from games.grand_prix import GAME
from games.grand_prix.drawing import LAP, MAX_BOXES, ROW, SEAM, draw_lap, draw_track
from games.grand_prix.scoring import Circuit, make_circuit
from tests.games.grand_prix.options import OPTIONS
from tests.games.grand_prix.table import (
    MOVE,
    RETIRE,
    by_seat,
    drive_to,
    gear,
    make_circuit_option,
    make_sheet_option,
    play,
    roll,
)
from tests.games.sampling import walk

LARGEST = make_sheet_option(*[make_circuit_option(*[200] * 100, time=100, damage=100)] * 30, gears=7)
SMALLEST = make_sheet_option(make_circuit_option(1, 1, time=1, damage=0), gears=2)
OFFERED = [{}, *(preset.options for preset in GAME.presets), *OPTIONS]
RULESETS = [GAME.ruleset(options) for options in OFFERED]
DRAWN = [*RULESETS, GAME.ruleset({"sheet": LARGEST}), GAME.ruleset({"sheet": SMALLEST})]


def show(*actions: dict[str, Any], **options: Any) -> Any:
    """Return the picture of one seat after actions that must all be legal."""
    return GAME.display(play(*by_seat(0, *actions), **options))["seats"][0]


def _text(value: object) -> str:
    assert isinstance(value, Text)
    return value.fill()


@pytest.mark.parametrize("ruleset", RULESETS, ids=range(len(RULESETS)))
@pytest.mark.parametrize("seed", range(4))
def test_at_every_moment_of_a_random_drive_the_picture_is_plain_and_says_what_the_sheet_says(
    ruleset: Ruleset, seed: int
) -> None:
    for moment in walk(ruleset, 2, Random(seed)):
        shown: Any = GAME.display(moment.state)
        json.dumps(shown, default=_text)
        cells = {line.key: [cell.points for cell in line.cells] for line in GAME.sheet(moment.state).lines}
        for number, seat in enumerate(shown["seats"]):
            standing = GAME.standing(moment.state, number)
            assert seat["total"] == standing.total == sum(one["place"] for one in seat["completed"])
            assert (seat["running"] is not None) == (standing.status == "playing")
            if seat["running"]:
                running = seat["running"]
                assert running["to_flag"] == cells["distance"][number]
                assert running["time"]["left"] == cells["time"][number]
                assert running["damage"]["left"] == cells[f"unused_{running['number']}"][number]
                assert len(seat["completed"]) + 1 + len(seat["ahead"]) == running["circuits"]


def test_the_car_starts_at_the_flag_before_the_first_section() -> None:
    # GP-14
    running = show()["running"]
    assert (running["position"], running["to_flag"]) == (0, 49)
    assert running["section"] == {"number": 0, "count": 12, "left": 0, "ahead": [6, 4, 5, 1, 1, 6], "more": True}
    assert {section["state"] for section in running["lap"]["sections"]} == {"ahead"}


def test_sections_are_behind_the_car_under_it_or_ahead() -> None:
    running = show(*drive_to((2, 4), (3, 3)), sheet=make_sheet_option(make_circuit_option(3, 2, 4, 5)))["running"]
    assert running["position"] == 7
    assert [section["state"] for section in running["lap"]["sections"]] == ["behind", "behind", "here", "ahead"]
    assert running["section"] == {"number": 3, "count": 4, "left": 2, "ahead": [5], "more": False}


def test_the_last_space_of_a_section_belongs_to_it() -> None:
    running = show(*drive_to((2, 3)), sheet=make_sheet_option(make_circuit_option(3, 2)))["running"]
    assert (running["section"]["number"], running["section"]["left"]) == (1, 0)


def test_sections_of_a_single_space_have_kerbs() -> None:
    lap = show(sheet=make_sheet_option(make_circuit_option(3, 1, 2, 1, 4)))["running"]["lap"]
    assert [section["is_corner"] for section in lap["sections"]] == [False, True, False, True, False]


def test_damage_is_marked_on_its_track() -> None:
    # GP-6, GP-7: section 2 is passed over in 5th gear.
    running = show(*drive_to((5, 6)), sheet=make_sheet_option(make_circuit_option(2, 1, 9)))["running"]
    assert (running["damage"]["used"], running["damage"]["left"]) == (5, 4)


def test_the_gear_selected_and_the_last_one_are_told_apart() -> None:
    # GP-3
    gears = show(*drive_to((2, 1)), gear(3))["running"]["gears"]
    assert [one["gear"] for one in gears if one["is_last"]] == [2]
    assert [one["gear"] for one in gears if one["is_selected"]] == [3]


def test_dice_lower_than_the_gear_drive_the_car() -> None:
    # GP-4
    running = show(gear(3), roll(6, 1, 3, 2, 3, 5))["running"]
    assert [die["face"] for die in running["dice"]] == [1, 2, 3, 3, 5, 6]
    assert [die["drives"] for die in running["dice"]] == [True, True, False, False, False, False]
    assert running["moves"] == 2


def test_with_include_dice_equal_to_the_gear_drive_too() -> None:
    # GP-10
    running = show(gear(3), roll(6, 1, 3, 2, 3, 5, include=True))["running"]
    assert running["moves"] == sum(die["drives"] for die in running["dice"]) == 4
    assert running["with_include"]


def test_a_completed_circuit_shows_its_place_and_what_it_left_unused() -> None:
    # GP-8, GP-11
    seat = show(
        gear(1),
        roll(),
        MOVE,
        sheet=make_sheet_option(make_circuit_option(4, 4, time=1), make_circuit_option(2, 2, name="Next")),
    )
    (completed,) = seat["completed"]
    assert (completed["place"], completed["unused"], completed["damage"]) == (9, 9, 9)
    assert seat["running"]["name"].fill() == "Next"


def test_free_uses_are_counted_down() -> None:
    specials = show(gear(3), roll(include=True))["specials"]
    assert [special["free"] for special in specials] == [2, 1, 3, 2]


def test_a_retired_seat_has_no_running_circuit() -> None:
    seat = show(RETIRE)
    assert seat["is_retired"]
    assert seat["running"] is None


@pytest.mark.parametrize("ruleset", DRAWN, ids=range(len(DRAWN)))
def test_the_preview_shows_every_circuit_and_section(ruleset: Ruleset) -> None:
    shown: Any = GAME.preview(ruleset.setup)
    json.dumps(shown, default=_text)
    assert shown["gears"] == ruleset.setup.gears
    assert [sum(one["sections"]) + 1 for one in shown["circuits"]] == [one.flag for one in ruleset.setup.circuits]


@pytest.mark.parametrize("ruleset", DRAWN, ids=range(len(DRAWN)))
def test_the_sections_of_a_lap_follow_each_other_and_fill_it(ruleset: Ruleset) -> None:
    for number, one in enumerate(ruleset.setup.circuits):
        lap = draw_lap(one, number)
        end = lap["flag"]
        for section in lap["sections"]:
            assert section["start"] >= end
            assert section["length"] > 0
            end = section["start"] + section["length"]
        assert end <= LAP


@pytest.mark.parametrize("ruleset", DRAWN, ids=range(len(DRAWN)))
def test_the_car_lies_on_the_arc_of_the_section_it_is_in(ruleset: Ruleset) -> None:
    one: Circuit = ruleset.setup.circuits[0]
    for position in range(1, one.flag, max(1, one.flag // 50)):
        lap = draw_lap(one, 0, position)
        (here,) = [section for section in lap["sections"] if section["state"] == "here"]
        seam = SEAM // 2 + 1  # half of it, plus rounding
        assert here["start"] - seam <= lap["car_at"] <= here["start"] + here["length"] + seam


@pytest.mark.parametrize("length", [0, 1, 18, MAX_BOXES, MAX_BOXES + 1, 100])
def test_a_track_is_used_from_nothing_to_its_end(length: int) -> None:
    widths = [draw_track(length, used)["used_width"] for used in range(length + 1)]
    assert widths == sorted(set(widths))
    assert widths[0] == 0
    assert widths[-1] == draw_track(length, length)["width"] <= ROW


def test_neighbouring_circuits_have_different_shapes() -> None:
    ring = make_circuit("Ring", 9, 9, (3, 4))
    shapes = [draw_lap(ring, number)["shape"] for number in range(9)]
    assert all(shape != following for shape, following in pairwise(shapes))
