"""The odds of a turn, against every roll and every choice that the rules themselves allow."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.core.odds_question import answer
from games.core.reading import Face
from games.rogue import GAME
from games.rogue.scoring import FACES, KEEPS, Dice
from games.rogue.state import NEW_TURN, Table
from tests.games.rogue.table import by_seat, play, turn
from tests.games.sampling import walk

ROOT = Path(__file__).parents[3]
GAMES = {GAME.key: GAME}
WHOLE_TURN = 65.660102


def ask(actions: list[dict[str, Any]], seats: int = 2, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Return the answer to a question about a legal transcript."""
    transcript = {
        "ruleset": "rogue",
        "options": options or {},
        "seats": [f"Seat {n}" for n in range(seats)],
        "actions": actions,
    }
    answered = answer({"transcript": transcript, **fields}, GAMES)
    assert answered["ok"], answered
    return answered


def list_rolls(size: int) -> Iterator[tuple[Dice, float]]:
    """Yield every roll of so many dice, in order, with its chance."""
    for showing in combinations_with_replacement(FACES, size):
        ways = factorial(size) // prod(factorial(count) for count in Counter(showing).values())
        yield showing, ways / 6**size


def list_moments(count: int, options: dict[str, Any] | None = None) -> Iterator[tuple[list[dict[str, Any]], Table]]:
    """Yield moments of random games that are not over."""
    ruleset, random = GAME.ruleset(options), Random(5)
    found = 0
    while found < count:
        for moment in walk(ruleset, 2, random):
            if moment.state.winner is None and found < count and random.random() < 0.2:
                found += 1
                yield moment.actions, moment.state


def play_on(actions: list[dict[str, Any]], seat: int, action: dict[str, Any]) -> list[dict[str, Any]]:
    return [*actions, *by_seat(seat, action)]


@cache
def plain_value(points: int, left: int, rolled: tuple[Face, ...]) -> float:
    """Return the expected points of a turn by a recursion that shares only the chart of points with the program.

    Args:
        points: the points set aside.
        left: the dice that are not set aside.
        rolled: those dice, if they have just been rolled; empty before a roll.
    """
    if not left:
        return points
    if not rolled:
        after = sum(chance * plain_value(points, left, roll) for roll, chance in list_rolls(left))
        return max(points, after)
    if left == 1:
        return 2 * points if rolled == ("C",) else points
    return max(
        (plain_value(points + gain, left - len(kept), ()) for kept, gain in KEEPS[rolled].items()), default=points
    )


def test_a_turn_comes_to_the_known_points() -> None:
    """ROGUE-2 to ROGUE-11, ROGUE-16 to ROGUE-22"""
    answered = ask([])
    assert answered["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)
    assert answered["value"] == pytest.approx(plain_value(0, 6, ()), abs=1e-9)
    assert {key: answered[key] for key in ("seat", "node", "measure", "aim", "method", "best")} == {
        "seat": 0,
        "node": "chance",
        "measure": "turn",
        "aim": "high",
        "method": "exact",
        "best": [0],
    }
    (option,) = answered["options"]
    assert option == {"action": {"type": "roll"}, "value": answered["value"], "loss": 0.0}


def test_every_moment_has_the_values_of_the_plain_recursion() -> None:
    for actions, table in list_moments(50):
        answered, running = ask(actions), table.turn
        assert answered["seat"] == table.seat
        assert answered["value"] == pytest.approx(plain_value(running.points, running.left, running.showing), abs=1e-9)
        for option in answered["options"]:
            after = play(play_on(actions, table.seat, option["action"])) if option["action"]["type"] != "roll" else None
            if after is None:
                expected = sum(chance * ask_after_roll(actions, table, roll) for roll, chance in list_rolls_of(table))
            elif after.turn == NEW_TURN or after.seat != table.seat:
                expected = 0 if after.winner is not None else after.scores[table.seat] - table.scores[table.seat]
            else:
                expected = ask(play_on(actions, table.seat, option["action"]))["value"]
            assert option["value"] == pytest.approx(expected, abs=1e-9)


def list_rolls_of(table: Table) -> Iterator[tuple[Dice, float]]:
    return list_rolls(table.turn.left)


def ask_after_roll(actions: list[dict[str, Any]], table: Table, roll: Dice) -> float:
    """Return the value after a roll; if the roll ends the turn, the points of the turn (ROGUE-3)."""
    if not KEEPS[roll]:
        return table.turn.points
    value = ask(play_on(actions, table.seat, {"type": "roll", "dice": list(roll)}))["value"]
    assert isinstance(value, float)
    return value


def test_every_distinct_legal_choice_is_an_option_and_every_option_is_legal() -> None:
    for actions, table in list_moments(200):
        options = ask(actions)["options"]
        given = Counter(json.dumps(option["action"]) for option in options)
        expected = set()
        for spec in GAME.legal_actions(table, table.seat):
            if spec.type == "keep":
                (field,) = spec.fields
                assert field.kind == "pick"
                expected |= {json.dumps({"type": "keep", "dice": list(pick.dice)}) for pick in field.picks}
            elif spec.type != "retire":
                expected.add(json.dumps({"type": spec.type}))
        assert given == Counter(expected)


def test_losses_and_the_best_choices_follow_from_the_values() -> None:
    for actions, _ in list_moments(200):
        answered = ask(actions)
        values = [option["value"] for option in answered["options"]]
        assert answered["value"] == max(values)
        assert [option["loss"] for option in answered["options"]] == pytest.approx([max(values) - v for v in values])
        assert answered["best"] == [index for index, value in enumerate(values) if value >= max(values) - 1e-9]


def test_rolling_on_never_costs_points() -> None:
    """ROGUE-22"""
    for actions, table in list_moments(200):
        if not table.turn.showing and table.turn.has_kept:
            roll, bank = ask(actions)["options"]
            assert (roll["action"], bank["action"]) == ({"type": "roll"}, {"type": "bank"})
            assert roll["value"] >= bank["value"] == table.turn.points


def test_dice_are_given_in_order_without_those_of_chance() -> None:
    """The order is 2 to 6, then critters."""
    for option in ask(turn(0, "C62622"))["options"]:
        dice = option["action"]["dice"]
        assert dice == sorted(dice, key=FACES.index)


def test_a_rogue_out_counts_nothing_and_the_last_rogue_doubles() -> None:
    """ROGUE-8, ROGUE-15"""
    five = turn(0, "C22345 C", "C2345 C", "C234 C", "C23 C", "C2 C")
    assert ask(five)["value"] == 0
    assert ask([*five, *turn(0, "C")])["options"] == [
        {"action": {"type": "keep", "dice": ["C"]}, "value": 0.0, "loss": 0.0}
    ]
    assert ask(turn(0, "666662 66666"))["value"] == pytest.approx(900 * 7 / 6)


def test_points_already_set_aside_are_part_of_the_value() -> None:
    before, after = ask(turn(0, "223456 22")), ask(turn(0, "223456 22", "bank"))
    assert before["value"] > 4
    assert (after["seat"], after["value"]) == (1, pytest.approx(WHOLE_TURN, abs=1e-6))


def test_the_options_of_the_game_change_nothing_in_a_turn() -> None:
    """ROGUE-12: additional turns are not in the value."""
    for options in ({}, {"target": 60, "war_at": 1}, {"target": 1, "war_at": 10**6}):
        assert ask([], options=options, seats=3)["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)


def test_a_seat_that_waits_is_told_what_the_running_turn_comes_to() -> None:
    acting, waiting = ask(turn(0, "223456"), seat=0), ask(turn(0, "223456"), seat=1)
    assert (waiting["node"], waiting["options"], waiting["best"]) == ("waiting", [], [])
    assert waiting["value"] == acting["value"]


def test_a_seat_that_is_through_has_no_value() -> None:
    out = [*turn(0, "retire")]
    assert {key: ask(out, seats=3, seat=0)[key] for key in ("node", "value", "options")} == {
        "node": "done",
        "value": None,
        "options": [],
    }
    for seat in (0, 1):
        assert ask(out, seats=2, seat=seat)["node"] == "done"


def test_targets_are_malformed_in_a_game_without_totals() -> None:
    transcript = {"ruleset": "rogue", "seats": ["Ann", "Bob"]}
    answered = answer({"transcript": transcript, "targets": [100]}, GAMES)
    assert (answered["ok"], answered["code"], answered["field"]) == (False, "malformed", "targets")


def test_the_bare_interpreter_answers() -> None:
    """Nothing but the standard library is imported."""
    question = json.dumps({"transcript": {"ruleset": "rogue", "seats": ["Ann", "Bob"]}})
    run = subprocess.run(
        [sys.executable, "-S", "-m", "games", "odds", "-"], input=question, capture_output=True, text=True, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)
