"""The picture of a race, checked against the state at every moment of random races, and by hand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from games.drag_rage import GAME
from games.drag_rage.state import COUNTERS, Race
from tests.games.drag_rage.random_races import drive
from tests.games.drag_rage.table import (
    BLOWN,
    BROKEN,
    CROSSED,
    LAST_COUNTER,
    Action,
    challenge,
    decline,
    lose_challenge,
    move,
    play,
    retire,
    roll,
    start,
    win_quickly,
)

RACES = 60


def display(*actions: Action) -> dict[str, Any]:
    return dict(GAME.display(play(*actions)))


def test_the_picture_matches_the_state_at_every_moment() -> None:
    random = Random(22)
    for _ in range(RACES):
        check_picture(GAME.start(GAME.ruleset(), 2))
        for step in drive(random):
            check_picture(step.after)


def test_the_picture_and_the_sheet_count_the_same_heats() -> None:
    """DRAG-16: a dead heat is run again under its own number, on every page."""
    random = Random(23)
    dead = 0
    for _ in range(RACES):
        for step in drive(random):
            check_heats(step.after)
            dead += step.after.heat is None and bool(step.after.heats) and step.after.heats[-1].winner is None
    assert dead > RACES // 20


def check_heats(race: Race) -> None:
    """Compare the numbers of a race's heats in the picture with those on the score sheet."""
    shown = GAME.display(race)
    winners = {heat["number"]: heat["winner"] for heat in shown["heats"] if heat["winner"]}
    cells = {line.key: [cell.points for cell in line.cells] for line in GAME.sheet(race).lines}
    on_sheet = {
        number: points.index(1) + 1 for number in (1, 2, 3) if (points := cells[f"heat_{number}"]) != [None, None]
    }
    assert on_sheet == winners
    assert cells["heats_won"] == [car["won"] for car in shown["cars"]]
    decided = len(winners)
    assert shown["next_heat"] == decided + 1
    if race.heat is not None:
        assert shown["heat"] == decided + 1
    elif shown["heats"]:
        assert shown["heat"] == shown["heats"][-1]["number"]


def check_picture(race: Race) -> None:
    """Check the picture of a race against its state."""
    shown = GAME.display(race)
    json.dumps(shown)  # nothing but plain data
    assert [car["won"] for car in shown["cars"]] == list(race.won)
    assert len(shown["heats"]) == len(race.heats)
    assert all(0 < car["x"] <= shown["end"] + 12 for car in shown["cars"])
    assert shown["is_over"] == GAME.is_finished(race)
    acting = [car["number"] - 1 for car in shown["cars"] if car["is_to_act"]]
    assert acting == ([] if GAME.to_act(race) is None else [GAME.to_act(race)])
    if race.heat is None:
        assert (shown["counters"], shown["due"], shown["move"]) == ([], None, None)
        return
    assert [car["space"] for car in shown["cars"]] == [car.space for car in race.heat.cars]
    assert {one["number"] for one in shown["counters"] if not one["is_used"]} == race.heat.unused
    assert (shown["move"] is not None) == (race.heat.move is not None)


@pytest.mark.parametrize(
    ("actions", "statuses"),
    [
        ([start()], ["racing", "racing"]),
        (CROSSED, ["crossed", "racing"]),
        (BROKEN, ["broken", "racing"]),
        (BLOWN, ["racing", "blown"]),
        (LAST_COUNTER, ["crossed", "blown"]),
        (win_quickly(1), ["racing", "crossed"]),
    ],
)
def test_each_cars_status_is_shown(actions: list[Action], statuses: list[str]) -> None:
    assert [car["status"] for car in display(*actions)["cars"]] == statuses


@pytest.mark.parametrize(
    ("actions", "what", "seat"),
    [
        ([start(1)], "turn", 2),
        ([start(), move(0, 8), challenge(1)], "roll", 1),
        ([start(), *lose_challenge(0, 8)], "after_spin_out", 2),
        ([start(), move(0, 8), challenge(1), roll(0, 4, 5)], "after_hold", 2),
        ([start(), move(0, 8), challenge(1), roll(0, 4, 5), decline(1)], "advance", 1),
    ],
)
def test_what_is_due_and_by_whom(actions: list[Action], what: str, seat: int) -> None:
    due = display(*actions)["due"]

    assert (due["what"], due["seat"], due["opponent"]) == (what, seat, 3 - seat)


@pytest.mark.parametrize("after", [[], [challenge(1)]])
def test_a_move_keeps_its_driver_when_it_is_challenged(after: list[Action]) -> None:
    shown = display(start(), move(0, 12), *after)
    drawn = shown["move"]

    assert (drawn["seat"], drawn["counter"], drawn["origin"]) == (1, 12, 1)
    assert (drawn["to_x"], drawn["to_x"] - drawn["from_x"]) == (shown["cars"][0]["x"], 12 * 12)
    assert [one["number"] for one in shown["counters"] if one["is_move"]] == [12]


def test_the_nitro_die_is_gone_once_it_is_rolled_and_back_with_the_next_heat() -> None:
    rolled = [start(), move(0, 12), challenge(1), roll(0, 4, 5, 6)]

    assert [car["has_nitro"] for car in display(*rolled)["cars"]] == [False, True]
    assert [car["has_nitro"] for car in display(*win_quickly(1), start())["cars"]] == [True, True]


def test_a_car_beyond_the_line_is_beyond_it_on_the_strip() -> None:
    crossed, broken = display(*CROSSED), display(*BROKEN)

    assert crossed["finish"] < crossed["cars"][0]["x"] <= crossed["end"] < broken["cars"][0]["x"]
    assert crossed["cars"][1]["x"] < crossed["finish"]


def test_a_race_that_is_over_names_its_winner_and_every_heat() -> None:
    shown = display(*win_quickly(1), *win_quickly(0), *win_quickly(1))

    assert (shown["is_over"], shown["winner"]) == (True, 2)
    assert [(heat["number"], heat["winner"]) for heat in shown["heats"]] == [(1, 2), (2, 1), (3, 2)]


def test_a_dead_heat_is_run_again_under_its_number_as_on_the_sheet() -> None:
    """DRAG-16"""
    played = [*win_quickly(1), *CROSSED, move(1, 8), *win_quickly(0)]
    shown, sheet = display(*played), GAME.sheet(play(*played))

    assert [(heat["number"], heat["winner"]) for heat in shown["heats"]] == [(1, 2), (2, None), (2, 1)]
    assert (shown["heat"], shown["next_heat"]) == (2, 3)
    labels = [line.label.template for line in sheet.lines if line.key.startswith("heat_")]
    assert labels == ["Heat 1", "Heat 2", "Heat 3"]
    assert (display()["heat"], display()["next_heat"], display(start())["heat"]) == (1, 1, 1)


def test_the_remaining_seat_has_won_and_nothing_is_due_any_more() -> None:
    shown = display(start(), move(0, 5), retire(1))

    assert (shown["winner"], shown["due"], shown["move"]) == (1, None, None)
    assert len(shown["counters"]) == len(COUNTERS)
