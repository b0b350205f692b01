"""How long best play of R.O.C.K. Yahtzee takes to find, and whether it is right: ``python -m benchmarks.solving_odds``.

Fresh cards are valued beside a textbook's recursion that folds nothing, as a ratio of CPU times of the same run.
Thirteen turns must come to what is known of Yahtzee: 254.587729 points with the rules of the box, and 245.870775
without jokers and without points for a second Yahtzee, which options of R.O.C.K. Yahtzee express. The whole run takes
some seven minutes. The script exits with status 1 if a goal is missed.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.boxed_yahtzee import FRESH, BoxedValues  # noqa: E402 - the path is set above
from benchmarks.plain_cards import PlainCards  # noqa: E402
from games.core.registry import find_games  # noqa: E402
from games.core.time_limit import TimeLimit  # noqa: E402
from games.rock_yahtzee.odds.future import Worth, fold, get_future  # noqa: E402
from games.rock_yahtzee.odds.values import Values  # noqa: E402
from games.rock_yahtzee.state import Card  # noqa: E402

FRESH_CARDS = {2: 20, 3: 50, 5: 50}  # turns, and how many times as long the textbook should take
BOXED, ONE_YAHTZEE = 254.587729, 245.870775
EXACT = 1e-9
LIMIT = TimeLimit(3600)


def main() -> int:
    """Print all figures. Return 1 if a goal is missed, else 0."""
    missed = [*_print_fresh_cards(), *_print_known_answers()]
    print(f"missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


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
    """Return the value of a fresh card, worked out from nothing and without a table, and the CPU seconds that takes."""
    setup = find_games()["rock-yahtzee"].ruleset(options).setup
    worth = Worth(setup.yahtzee_points, setup.bonus)
    start = time.process_time()
    value = Values(worth).get(fold(worth, *get_future(setup, Card())), LIMIT)
    return value, time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
