"""Reading actions and sheets, and reporting malformed ones."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from games.core import transcript
from games.grand_prix import GAME
from games.grand_prix.options import PRESETS
from tests.games.grand_prix.table import (
    MOVE,
    gear,
    get_drive,
    get_malformed_field,
    list_broken_rules,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    play,
    reroll,
    roll,
    select,
    turn,
)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "gear"}, "gear"),
        ({"type": "gear", "gear": "4"}, "gear"),
        ({"type": "gear", "gear": 4.0}, "gear"),
        ({"type": "gear", "gear": True}, "gear"),
        ({"type": "gear", "gear": None}, "gear"),
        ({"type": "gear", "gear": 4, "shift": 1}, "shift"),
        ({"type": "gear", "gear": 4, "shift": None}, "shift"),
        ({"type": "gear", "gear": 4, "include": True}, "include"),
        ({"type": "roll"}, "dice"),
        ({"type": "roll", "dice": 6}, "dice"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 5, 7]}, "dice[5]"),
        ({"type": "roll", "dice": [0]}, "dice[0]"),
        ({"type": "roll", "dice": [1, 2, "3"]}, "dice[2]"),
        ({"type": "roll", "dice": [1, 2.0]}, "dice[1]"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 5, 6], "include": "yes"}, "include"),
        ({"type": "roll", "dice": [1, 2, 3, 4, 5, 6], "shift": True}, "shift"),
        ({"type": "reroll", "dice": [True]}, "dice[0]"),
        ({"type": "reroll", "dice": [1], "reroll": [1]}, "reroll"),
        ({"type": "select", "dice": [1]}, "reroll"),
        ({"type": "select", "reroll": [1]}, "dice"),
        ({"type": "select", "reroll": [7], "dice": [1]}, "reroll[0]"),
        ({"type": "select", "reroll": 1, "dice": [1]}, "reroll"),
        ({"type": "move", "spaces": 3}, "spaces"),
        ({"type": "cut", "cards": {}}, "type"),
        ({"type": "brake"}, "type"),
        ({"type": "gear", "gear": 4, "seat": 1}, "seat"),
    ],
)
def test_malformed_data_names_the_field_at_any_moment(action: dict[str, Any], field: str) -> None:
    for before in ([], [gear(4)], [gear(4), roll()]):
        assert get_malformed_field(*before, action) == f"actions[{len(before)}].{field}"


def test_false_for_a_flag_is_the_same_as_leaving_it_out() -> None:
    plain = get_drive(*turn(4, 3), gear(5), roll(), reroll(), select((6,), 1), MOVE)
    off = {"include": False}
    assert plain == get_drive(
        *turn(4, 3), gear(5) | {"shift": False}, roll() | off, reroll() | off, select((6,), 1) | off, MOVE
    )
    assert list_broken_rules(*turn(4, 3), gear(1) | {"shift": False}) == ["GP-3"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ([], ""),
        (None, ""),
        ({"gears": 1}, ".gears"),
        ({"gears": 8}, ".gears"),
        ({"gears": None}, ".gears"),
        ({"wheels": 4}, ".wheels"),
        ({"specials": []}, ".specials"),
        ({"specials": {"brake": make_special_option(1, 1)}}, ".specials.brake"),
        ({"specials": {"shift": {"free": 1}}}, ".specials.shift.cost"),
        ({"specials": {"shift": {"cost": 1}}}, ".specials.shift.free"),
        ({"specials": {"shift": make_special_option(-1, 1)}}, ".specials.shift.free"),
        ({"specials": {"shift": make_special_option(100, 1)}}, ".specials.shift.free"),
        ({"specials": {"shift": make_special_option(1, 100)}}, ".specials.shift.cost"),
        ({"specials": {"shift": make_special_option(1, 1) | {"best": 1}}}, ".specials.shift.best"),
        ({"circuits": []}, ".circuits"),
        ({"circuits": [make_circuit_option(1, 1)] * 31}, ".circuits"),
        ({"circuits": make_circuit_option(1, 1)}, ".circuits"),
        ({"circuits": [make_circuit_option(1, 1), {}]}, ".circuits[1].name"),
        ({"circuits": [make_circuit_option(1, 1, name="")]}, ".circuits[0].name"),
        ({"circuits": [make_circuit_option(1, 1, name="x" * 81)]}, ".circuits[0].name"),
        ({"circuits": [make_circuit_option(1, 1) | {"name": 7}]}, ".circuits[0].name"),
        ({"circuits": [make_circuit_option(1, 1, time=0)]}, ".circuits[0].time"),
        ({"circuits": [make_circuit_option(1, 1, time=101)]}, ".circuits[0].time"),
        ({"circuits": [make_circuit_option(1, 1, damage=-1)]}, ".circuits[0].damage"),
        ({"circuits": [make_circuit_option(1, 1, damage=101)]}, ".circuits[0].damage"),
        ({"circuits": [make_circuit_option(1, 1) | {"laps": 2}]}, ".circuits[0].laps"),
        ({"circuits": [make_circuit_option(1)]}, ".circuits[0].sections"),
        ({"circuits": [make_circuit_option(*[1] * 101)]}, ".circuits[0].sections"),
        ({"circuits": [make_circuit_option(1, 0)]}, ".circuits[0].sections[1]"),
        ({"circuits": [make_circuit_option(201, 1)]}, ".circuits[0].sections[0]"),
        ({"circuits": [make_circuit_option(1, 1) | {"sections": "1 1"}]}, ".circuits[0].sections"),
    ],
)
def test_a_sheet_out_of_its_ranges_is_reported_before_everything(given: Any, field: str) -> None:
    answer = transcript.score(
        {"ruleset": "grand-prix", "options": {"sheet": given}, "seats": ["Ann"], "actions": [{"type": "brake"}]},
        {"grand-prix": GAME},
    )
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, f"options.sheet{field}")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"specials": {}},
        {"gears": 2, "specials": {"reroll": make_special_option(0, 0), "shift": make_special_option(99, 99)}},
        {"gears": 7, "circuits": [make_circuit_option(1, 200, time=1, damage=0)]},
        {"circuits": [make_circuit_option(*[200] * 100, time=100, damage=100, name="x" * 80)] * 30},
    ],
)
def test_a_sheet_within_its_ranges_is_read_and_reads_back_to_itself(given: dict[str, Any]) -> None:
    """GP-13"""
    read = GAME.ruleset({"sheet": given})
    again = GAME.ruleset(json.loads(json.dumps(read.options)))
    assert again.options == read.options
    assert again.setup == read.setup


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_a_preset_can_be_played_and_differs_from_the_house_sheet(preset: Any) -> None:
    before = copy.deepcopy(preset.options)
    assert GAME.ruleset(preset.options).setup != GAME.ruleset().setup
    play(gear(4), roll(), MOVE, **preset.options)
    assert preset.options == before


def test_presets_keep_the_values_that_they_do_not_set() -> None:
    house, by_key = GAME.ruleset().setup, {preset.key: GAME.ruleset(preset.options).setup for preset in PRESETS}
    assert by_key["one_circuit"] == house._replace(circuits=house.circuits[:1])
    gentle = tuple(one._replace(damage=2 * one.damage) for one in house.circuits)
    assert by_key["gentle"] == house._replace(circuits=gentle, free=(3, 3, 4, 3))
    tight = tuple(one._replace(damage=13) for one in house.circuits)
    assert by_key["tight"] == house._replace(circuits=tight, free=(1, 0, 0, 0), costs=(99, 99, 99, 99))


def test_the_longest_circuit_there_can_be_is_driven_like_any_other() -> None:
    """GP-14"""
    longest = make_sheet_option(make_circuit_option(*[200] * 100, time=1))
    assert get_drive(*turn(6, 6), sheet=longest).places == (20_000 + 1 - 6,)
