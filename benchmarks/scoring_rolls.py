"""All thirteen boxes of a roll, against two published libraries: ``python benchmarks/scoring_rolls.py``.

Every arm scores all 7,776 rolls in every box. The arms take turns within a round, and the medians of five rounds are
compared. The script measures the processor time of this process. With wall clock time, a busy machine would slow a long
slice more than a short one, and the ratio would not be fair. A mismatch is a roll for which an arm gives other points
than counting by the rule book.

The script exits with status 1 if our arm has a mismatch or is less than 25 times as fast as pyhtzee.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from time import process_time

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from games.rock_yahtzee.scoring import ROWS  # noqa: E402 - the path is set above

try:
    from pyhtzee import Pyhtzee
    from pyhtzee.classes import Category
    from yahtzee_api.player import Player
except ImportError as error:
    sys.exit(f"{error.name} is missing. Run: pip install -r requirements/bench.in")

Roll = tuple[int, ...]
Points = Sequence[int]
Arm = Callable[[Roll], Points]

ROUNDS = 5
GOAL = 25
ROLLS: list[Roll] = list(product(range(1, 7), repeat=5))
SECONDS = 0.25  # the minimum time of an arm per round


def tailgunner(roll: Roll) -> Points:
    return ROWS[roll]


def make_pyhtzee() -> Arm:
    functions = Pyhtzee().scoring_functions
    boxes = [functions[category] for category in Category if category <= Category.CHANCE]

    def score(roll: Roll) -> Points:
        dice = list(roll)
        return [box(dice) for box in boxes]

    return score


def make_yahtzee_api() -> Arm:
    """Return an arm that scores with `debug_roll`, its public method for given dice, on an empty card."""
    player = Player("bench")

    def score(roll: Roll) -> Points:
        player.rolls_left = 3
        player.debug_roll([0, 0, 0, 0, 0], list(roll))
        return [row[0] for row in player.t_scorecard]

    return score


def count_points(roll: Roll) -> Points:
    """Return the points of a roll in each box, counted literally by the rule book."""
    most, total, different = max(map(roll.count, roll)), sum(roll), set(roll)
    runs = [run for run in range(2, 6) for low in range(1, 8 - run) if set(range(low, low + run)) <= different]
    longest = max(runs, default=1)
    return [
        *(sum(die for die in roll if die == face) for face in range(1, 7)),
        total if most >= 3 else 0,
        total if most >= 4 else 0,
        25 if most == 3 and len(different) == 2 else 0,
        30 if longest >= 4 else 0,
        40 if longest == 5 else 0,
        50 if most == 5 else 0,
        total,
    ]


def rolls_a_second(arm: Arm) -> float:
    """Score all rolls repeatedly for a while, and return how many were scored per second."""
    scored, start = 0, process_time()
    while (taken := process_time() - start) < SECONDS:
        for roll in ROLLS:
            arm(roll)
        scored += len(ROLLS)
    return scored / taken


def main() -> int:
    arms = {"tailgunner": tailgunner, "pyhtzee": make_pyhtzee(), "yahtzee_api": make_yahtzee_api()}
    expected = [list(count_points(roll)) for roll in ROLLS]
    mismatches = {
        name: sum(list(arm(roll)) != right for roll, right in zip(ROLLS, expected, strict=True))
        for name, arm in arms.items()
    }
    speeds: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(ROUNDS):
        for name, arm in arms.items():
            speeds[name].append(rolls_a_second(arm))
    for name, measured in speeds.items():
        spread = f"{min(measured):,.0f} to {max(measured):,.0f}"
        wrong = f"{mismatches[name]} of {len(ROLLS)} wrong"
        print(f"{name:12} {median(measured):12,.0f} rolls/s   ({spread})   {wrong}")
    ratio = median(speeds["tailgunner"]) / median(speeds["pyhtzee"])
    print(f"ratio to pyhtzee: {ratio:.1f} (goal: {GOAL} or more, 0 wrong)")
    return 0 if ratio >= GOAL and not mismatches["tailgunner"] else 1


if __name__ == "__main__":
    sys.exit(main())
