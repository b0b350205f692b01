"""How long questions about odds take: ``python -m benchmarks.telling_odds``.

Each question goes to a new process of ``python -m games odds --jsonl``, twice: the first answer includes starting the
interpreter and working everything out, the later one finds it ready. Times are CPU seconds, also as multiples of one
yardstick of the same run: the same interpreter valuing one turn of R.O.C.K. Yahtzee without any shortcut, by every
throw and every choice. A multiple says the same on a slower machine.
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

from games.core.registry import find_games
from games.rock_yahtzee.state import Card
from tests.games.rock_yahtzee.plain_odds import PlainOdds

ROOT = Path(__file__).resolve().parents[1]
GOALS = {"R.O.C.K. Yahtzee": (3.0, 0.3), "R.O.C.K. Yahtzee with targets": (15.0, 2.0)}  # CPU seconds: first, later


def _ask(ruleset: str, seats: int = 1, actions: tuple[dict[str, Any], ...] = (), **question: Any) -> dict[str, Any]:
    transcript = {"ruleset": ruleset, "seats": [str(seat) for seat in range(seats)], "actions": list(actions)}
    return {"transcript": transcript, "seat": 0, **question}


QUESTIONS = {
    "R.O.C.K. Yahtzee": _ask("rock-yahtzee"),
    "R.O.C.K. Yahtzee with targets": _ask("rock-yahtzee", targets=[100, 150, 175]),
    "Go 500": _ask("go-500"),
    "Go 500 with targets": _ask("go-500", targets=[500, 600]),
    "Rogue": _ask("rogue", seats=2),
}


def main() -> None:
    """Print the time of every question's first and later answer."""
    yardstick = _time_one_plain_turn()
    print(f"One turn without shortcuts: {yardstick:.2f} s")
    print(f"{'question':<32}{'first':>9}{'times':>8}{'later':>9}  goals")
    for name, question in QUESTIONS.items():
        once, twice = _time(question, 1), _time(question, 2)
        later = max(twice - once, 0.0)
        goals = " and ".join(f"{goal:g} s" for goal in GOALS[name]) if name in GOALS else "none"
        print(f"{name:<32}{once:>7.2f} s{once / yardstick:>8.2f}{later:>7.2f} s  {goals}")


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
    main()
