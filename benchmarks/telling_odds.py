"""How long questions about odds take: ``python -m benchmarks.telling_odds``.

Each question goes to a new process of ``python -m games odds --jsonl``, twice: the first answer includes starting the
interpreter and working everything out, the later one finds it ready. Times are CPU seconds, also as multiples of one
yardstick of the same run: the same interpreter valuing one turn of R.O.C.K. Yahtzee without any shortcut, by every
throw and every choice. A multiple says the same on a slower machine.

Then the chances to win of 200 cards, each with none to all of its turns played at random, in this process: first with
what their rules need once, and then without.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from games.core.chances import list_place_chances
from games.core.game import Ruleset
from games.core.odds import Wanted, find_best
from games.core.registry import find_games
from games.rock_yahtzee.state import Card
from tests.games.rock_yahtzee.plain_odds import PlainOdds

ROOT = Path(__file__).resolve().parents[1]
GOALS = {"R.O.C.K. Yahtzee": (3.0, 0.3), "R.O.C.K. Yahtzee with targets": (15.0, 2.0)}  # CPU seconds: first, later
CARDS, PLACES = 200, 3
CHANCES_GOAL = 5.0  # CPU seconds for all cards, the rules included


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
    game = find_games()["rock-yahtzee"]
    # Played by slightly other rules, so that nothing of the rules that are measured is ready.
    cards = _play_cards(game.ruleset({"upper_bonus": {"threshold": 84, "points": 35}}))
    first, later = (_time_chances(game.ruleset(), cards) for _ in range(2))
    name = f"Chances to win of {CARDS} cards"
    print(f"{name:<32}{first:>7.2f} s{first / yardstick:>8.2f}{later:>7.2f} s  {CHANCES_GOAL:g} s")


def _play_cards(ruleset: Ruleset) -> list[Any]:
    """Return the states of cards whose turns have one throw each, in the best box."""
    game, chance = ruleset.game, random.Random(1)
    cards = []
    for _ in range(CARDS):
        state = game.start(ruleset, 1)
        for _turn in range(chance.randint(0, ruleset.options["turns"])):
            roll = {"type": "roll", "seat": 0, "dice": [chance.randint(1, 6) for _die in range(5)]}
            state = game.apply(state, ruleset.read_action(roll, 1))
            odds = game.odds(state, 0, Wanted())
            assert odds is not None
            scored = [choice for choice in odds.choices if choice.action["type"] == "score"]
            best = scored[find_best([choice.value for choice in scored if choice.value is not None])]
            state = game.apply(state, ruleset.read_action({**best.action, "seat": 0}, 1))
        cards.append(state)
    return cards


def _time_chances(ruleset: Ruleset, states: Sequence[Any]) -> float:
    """Return the CPU seconds for the chances of all cards."""
    start = time.process_time()
    distributions = {}
    for number, state in enumerate(states):
        odds = ruleset.game.odds(state._replace(ruleset=ruleset), 0, Wanted(distribution=True))
        assert odds is not None
        assert odds.distribution is not None
        distributions[number] = odds.distribution
    list_place_chances(distributions, PLACES)
    return time.process_time() - start


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
