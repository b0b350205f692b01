"""How long questions about odds take: ``python -m benchmarks.telling_odds``.

Each question goes to a new process of ``python -m games odds --jsonl``, twice: the first answer includes starting the
interpreter and working everything out, the later one finds it ready. Times are CPU seconds, also as multiples of one
yardstick of the same run: the same interpreter valuing one turn of R.O.C.K. Yahtzee without any shortcut, by every
throw and every choice. A multiple says the same on a slower machine.

Fresh cards are valued beside a textbook's recursion that folds nothing, and thirteen turns must come to what is known
of Yahtzee: 254.587729 points with the rules of the box, and 245.870775 without jokers and without points for a second
Yahtzee, which options of R.O.C.K. Yahtzee express. The whole run takes some eight minutes.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.boxed_yahtzee import FRESH, BoxedValues  # noqa: E402 - the path is set above
from benchmarks.plain_cards import PlainCards  # noqa: E402
from games.core.odds import Wanted  # noqa: E402
from games.core.registry import find_games  # noqa: E402
from games.core.time_limit import TimeLimit  # noqa: E402
from games.rock_yahtzee.odds.values import get_values  # noqa: E402
from games.rock_yahtzee.state import Card  # noqa: E402
from tests.games.rock_yahtzee.plain_odds import PlainOdds  # noqa: E402

GOALS = {"R.O.C.K. Yahtzee": (3.0, 0.3), "R.O.C.K. Yahtzee with targets": (15.0, 2.0)}  # CPU seconds: first, later


def _ask(ruleset: str, seats: int = 1, actions: tuple[dict[str, Any], ...] = (), **question: Any) -> dict[str, Any]:
    transcript = {"ruleset": ruleset, "seats": [str(seat) for seat in range(seats)], "actions": list(actions)}
    return {"transcript": transcript, "seat": 0, **question}


FRESH_CARDS = {2: 20, 3: 50, 5: 50}  # turns, and how many times as long the textbook should take
BOXED, ONE_YAHTZEE = 254.587729, 245.870775
EXACT = 1e-9

QUESTIONS = {
    "R.O.C.K. Yahtzee": _ask("rock-yahtzee"),
    "R.O.C.K. Yahtzee with targets": _ask("rock-yahtzee", targets=[100, 150, 175]),
    "Go 500": _ask("go-500"),
    "Go 500 with targets": _ask("go-500", targets=[500, 600]),
    "Rogue": _ask("rogue", seats=2),
}


def main() -> int:
    """Print all figures. Return 1 if a goal is missed, else 0."""
    missed = [*_print_answers(), *_print_fresh_cards(), *_print_known_answers()]
    print(f"missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


def _print_answers() -> list[str]:
    """Print the time of every question's first and later answer, and return the goals that are missed."""
    yardstick, missed = _time_one_plain_turn(), []
    print(f"One turn without shortcuts: {yardstick:.2f} s")
    print(f"{'question':<32}{'first':>9}{'times':>8}{'later':>9}  goals")
    for name, question in QUESTIONS.items():
        once, twice = _time(question, 1), _time(question, 2)
        later = max(twice - once, 0.0)
        goals = GOALS.get(name, ())
        shown = " and ".join(f"{goal:g} s" for goal in goals) or "none"
        print(f"{name:<32}{once:>7.2f} s{once / yardstick:>8.2f}{later:>7.2f} s  {shown}")
        if any(taken > goal for taken, goal in zip((once, later), goals, strict=False)):
            missed.append(name)
    return missed


def _print_fresh_cards() -> list[str]:
    """Print the time of fresh cards beside that of a recursion that folds nothing."""
    missed = []
    for turns, goal in FRESH_CARDS.items():
        ruleset = find_games()["rock-yahtzee"].ruleset({"turns": turns})
        plain, start = PlainCards(ruleset.setup), time.process_time()
        expected, textbook = plain.get_fresh_value(), time.process_time() - start
        value, own = _value_fresh_card({"turns": turns})
        print(
            f"{turns} turns: {value:.6f} points in {own:.3f} s; {plain.count:,} cards by a textbook's recursion "
            f"{textbook:.2f} s, {textbook / own:.0f} times as long (goal: {goal} or more)"
        )
        if abs(value - expected) > EXACT or textbook < goal * own:
            missed.append(f"{turns} turns")
    return missed


def _print_known_answers() -> list[str]:
    """Print what thirteen turns come to."""
    start = time.process_time()
    boxed = BoxedValues().get(FRESH)
    print(f"Yahtzee by the rules of the box: {boxed:.6f} points (known: {BOXED}), {time.process_time() - start:.0f} s")
    options = {"turns": 13, "upper_bonus": {"threshold": 63, "points": 35}, "yahtzee_points": [50]}
    value, taken = _value_fresh_card(options)
    print(f"Without jokers or a second Yahtzee: {value:.6f} points (known: {ONE_YAHTZEE}), {taken:.0f} s")
    known = {"the rules of the box": (boxed, BOXED), "no second Yahtzee": (value, ONE_YAHTZEE)}
    return [name for name, (found, expected) in known.items() if round(found, 6) != expected]


def _value_fresh_card(options: dict[str, Any]) -> tuple[float, float]:
    """Return the value of a fresh card, worked out from nothing, and the CPU seconds that takes."""
    game = find_games()["rock-yahtzee"]
    state = game.start(game.ruleset(options), 1)
    get_values.cache_clear()
    start = time.process_time()
    odds = game.odds(state, 0, Wanted(limit=TimeLimit(3600)))
    assert odds is not None
    assert odds.value is not None
    return odds.value, time.process_time() - start


def _time_one_plain_turn() -> float:
    setup = find_games()["rock-yahtzee"].ruleset({"turns": 1}).setup
    start = time.process_time()
    PlainOdds(setup, float).get_worth(Card())
    return time.process_time() - start


def _time(question: dict[str, Any], times: int) -> float:
    """Return the CPU seconds of a process that answers a question so many times."""
    before = os.times()
    lines = f"{json.dumps(question)}\n" * times
    command = [sys.executable, "-S", "-m", "games", "odds", "--jsonl", "-"]
    answered = subprocess.run(command, input=lines, cwd=ROOT, check=True, capture_output=True, text=True)
    after = os.times()
    assert all(json.loads(line)["method"] == "exact" for line in answered.stdout.splitlines())
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main())
