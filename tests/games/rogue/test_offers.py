"""Offers, the score sheet, malformed actions and the options of a contest."""

from __future__ import annotations

import json

import pytest

from games.core import transcript
from games.core.specs import DiceField
from games.rogue import GAME
from games.rogue.scoring import sort_dice
from games.rogue.state import Table
from tests.games.rogue.table import (
    by_seat,
    get_malformed_field,
    keep,
    list_offered_types,
    list_picks,
    list_problems,
    make_ruleset,
    pass_without_points,
    play,
    roll,
    turn,
)


def sheet(state: Table) -> dict[str, list[int | None]]:
    """Return the points of each line, by seat."""
    lines = GAME.sheet(state).lines
    return {line.key: [cell.points for cell in line.cells] for line in lines}


@pytest.mark.parametrize(
    ("entries", "words", "left"),
    [
        ((), ["roll", "retire"], 6),
        (("224456 22",), ["roll", "bank", "retire"], 4),
        (("C22456 C",), ["roll", "bank", "retire"], 5),
        (("224456 22", "CC23 CC", "2C C"), ["roll", "bank", "retire"], 1),
    ],
)
def test_a_roll_takes_the_dice_that_are_left_and_ending_the_turn_is_offered_once_dice_are_aside(
    entries: tuple[str, ...], words: list[str], left: int
) -> None:
    state = play(turn(0, *entries))
    assert list_offered_types(state, 0) == words
    (dice,) = GAME.legal_actions(state, 0)[0].fields
    assert isinstance(dice, DiceField)
    assert dice.count == (left, left, None, None)
    assert [spec.face for spec in dice.faces] == [2, 3, 4, 5, 6, "C"]


def test_every_keep_is_offered_with_its_points_the_best_first() -> None:
    assert list(list_picks("C22333").items()) == [
        ("22333C", 68), ("333C", 60), ("22333", 34), ("333", 30), ("2233C", 20), ("33C", 12), ("2233", 10), ("22C", 8),
        ("33", 6), ("22", 4), ("C", 0),
    ]  # fmt: skip


def test_the_last_die_is_offered_with_what_its_rogue_adds() -> None:
    assert list_picks("222224 22222", "C") == {"C": 500}
    assert list_picks("C22345 C", "C2234 C", "C223 C", "C22 C", "C2 C", "C") == {"C": 0}


def test_nothing_is_offered_to_the_table_as_a_whole() -> None:
    assert GAME.legal_actions(play(), None) == ()


def test_the_sheet_shows_the_running_turn_the_points_and_how_far_it_is_to_go() -> None:
    state = play(turn(0, "CCCCCC CCCCCC"), pass_without_points(1), turn(0, "224456 22"))
    assert sheet(state) == {
        "turn": [4, None], "to_war": [312, 1812], "to_target": [500, 2000], "total": [1500, 0]
    }  # fmt: skip
    state = play(pass_without_points(0), turn(1, "CCCCCC CCCCCC"), war_at=2000, target=1500)
    assert sheet(state) == {
        "turn": [None, None], "to_war": [2000, 500], "to_target": [1500, None], "total": [0, 1500]
    }  # fmt: skip


def test_the_order_of_the_dice_does_not_matter() -> None:
    assert play(by_seat(0, roll("2C5246"), keep("2C2"))) == play(by_seat(0, roll("C22456"), keep("C22")))
    (problem,) = list_problems(by_seat(0, roll("2C5246"), keep("44")))
    assert problem.message().endswith("Showing: 2, 2, 4, 5, 6, C.")


def test_dice_without_end_are_refused_and_not_remembered() -> None:
    remembered = sort_dice.cache_info().currsize
    assert [p.code for p in list_problems(by_seat(0, roll("2" * 10_000)))] == ["wrong_count"]
    assert [p.code for p in list_problems(by_seat(0, roll("222345"), keep("2" * 10_000)))] == ["not_on_table"]
    assert sort_dice.cache_info().currsize <= remembered + 1


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "roll"}, "dice"),
        ({"type": "roll", "dice": None}, "dice"),
        ({"type": "roll", "dice": "C22456"}, "dice"),
        ({"type": "roll", "dice": {"0": 2}}, "dice"),
        ({"type": "roll", "dice": [2, 2, 4, 5, 6, 1]}, "dice[5]"),
        ({"type": "roll", "dice": [2, 2, 4, 5, 6, ["C"]]}, "dice[5]"),
        ({"type": "roll", "dice": ["CC", 2, 4, 5, 6, 6]}, "dice[0]"),
        ({"type": "roll", "dice": [2, 2, 4, 5, 6, 10**30]}, "dice[5]"),
        ({"type": "roll", "dice": [1]}, "dice[0]"),
        ({"type": "roll", "dice": [2, 2, 4, 5, 6, 6], "keep": [2, 2]}, "keep"),
        ({"type": "keep"}, "dice"),
        ({"type": "keep", "dice": [7]}, "dice[0]"),
        ({"type": "keep", "dice": [2, 2], "points": 4}, "points"),
        ({"type": "bank", "dice": []}, "dice"),
        ({"type": "bank", "points": 4}, "points"),
        ({"type": "cut", "cards": {}}, "type"),
        ({"type": "BANK"}, "type"),
        ({}, "type"),
        ({"type": "bank", "seat": 2}, "seat"),
        ({"type": "bank", "seat": -1}, "seat"),
        ({"type": "bank", "seat": True}, "seat"),
        ({"type": "bank", "seat": None}, "seat"),
    ],
)
def test_malformed_data_names_the_field(action: dict[str, object], field: str) -> None:
    assert get_malformed_field([{"seat": 0, **action}]) == f"actions[0].{field}"


def test_a_seat_is_always_named_since_two_play() -> None:
    assert get_malformed_field([{"type": "bank"}]) == "actions[0].seat"


@pytest.mark.parametrize("name", ["target", "war_at"])
@pytest.mark.parametrize("value", [0, -1, 1.0, "2000", True, None, [2000]])
def test_an_option_out_of_its_range_is_reported_before_everything(name: str, value: object) -> None:
    answer = transcript.score(
        {"ruleset": "rogue", "options": {name: value}, "seats": ["Ann"], "actions": [{"type": "stop"}]},
        {"rogue": GAME},
    )
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, f"options.{name}")


@pytest.mark.parametrize("seats", [[], ["Ann"]])
def test_fewer_than_two_seats_cannot_be_read(seats: list[str]) -> None:
    answer = transcript.score({"ruleset": "rogue", "seats": seats}, {"rogue": GAME})
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, "seats")


def test_options_read_back_to_themselves_and_so_do_presets() -> None:
    for options in ({}, {"target": 1}, {"war_at": 10**30}, *(preset.options for preset in GAME.presets)):
        read = make_ruleset(**options).options
        assert make_ruleset(**json.loads(json.dumps(dict(read)))).options == read
    assert make_ruleset(**GAME.presets[0].options).setup == (1000, 906)
    assert make_ruleset().setup == (2000, 1812)
