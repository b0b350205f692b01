"""Replaying a whole event from its stored log: ``python benchmarks/folding_an_event.py``.

The event has 10,000 cards with five turns, each recorded roll by roll: two rolls and a box, 150,000 actions. As in the
log, each turn is stored as one JSON text. The bare arm does the minimum: it loads every text, looks up the points of
the last dice in a table and adds them up. It checks neither the rolls nor whether a box was open. Our arm parses the
actions, checks each by the rule book, and computes the card's total.

Rounds are interleaved, and the medians of five rounds of processor time are compared. The script exits with status 1 if
our totals differ from the bare ones or take more than three times as long.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from games.core.replay import fold_turns  # noqa: E402 - the path is set above
from games.rock_yahtzee import GAME  # noqa: E402
from games.rock_yahtzee.boxes import BOXES, COLUMN  # noqa: E402
from games.rock_yahtzee.scoring import ROWS  # noqa: E402

CardTurns = list[str]

CARDS = 10_000
TURNS = 5
ROUNDS = 5
GOAL = 3.0
RULESET = GAME.ruleset()
WORDS = [box.word for box in BOXES]


def make_card(random: Random) -> CardTurns:
    """Return five turns of a card, each in another box."""
    return [json.dumps(make_turn(random, word)) for word in random.sample(WORDS, TURNS)]


def make_turn(random: Random, word: str) -> list[dict[str, object]]:
    """Return two rolls and the box: some dice are kept, the others are rolled again."""
    first = [random.randint(1, 6) for _ in range(5)]
    kept = random.randint(0, 4)
    again = [random.randint(1, 6) for _ in range(5 - kept)]
    return [
        {"seat": 0, "type": "roll", "dice": first},
        {"seat": 0, "type": "roll", "dice": again, "keep": first[:kept]},
        {"seat": 0, "type": "score", "box": word},
    ]


def fold_bare(card: CardTurns) -> int:
    """Return the total, from the table alone."""
    total = 0
    for text in card:
        _first, last, box = json.loads(text)
        total += ROWS[(*last["keep"], *last["dice"])][COLUMN[box["box"]]]
    return total


def fold(card: CardTurns) -> int:
    """Return the total, by the rule book."""
    turns = [[RULESET.read_action(action, 1) for action in json.loads(text)] for text in card]
    folded = fold_turns(RULESET, turns)
    assert not folded.failures
    return GAME.standing(folded.state, 0).total


def measure(arm: Callable[[CardTurns], int], cards: list[CardTurns]) -> tuple[float, list[int]]:
    """Return how many seconds the event took, and the totals."""
    start = process_time()
    totals = [arm(card) for card in cards]
    return process_time() - start, totals


def main() -> int:
    random = Random(1)
    cards = [make_card(random) for _ in range(CARDS)]
    seconds: dict[str, list[float]] = {"bare": [], "tailgunner": []}
    for _ in range(ROUNDS):
        taken, bare = measure(fold_bare, cards)
        seconds["bare"].append(taken)
        taken, ours = measure(fold, cards)
        seconds["tailgunner"].append(taken)
    for name, measured in seconds.items():
        print(f"{name:12} {median(measured):6.2f} s   ({min(measured):.2f} to {max(measured):.2f})")
    ratio = median(seconds["tailgunner"]) / median(seconds["bare"])
    wrong = sum(map(int.__ne__, bare, ours))
    print(f"ratio to the bare table: {ratio:.1f} (goal: {GOAL:.0f} or less), {wrong} totals differ")
    return 0 if ratio <= GOAL and bare == ours else 1


if __name__ == "__main__":
    sys.exit(main())
