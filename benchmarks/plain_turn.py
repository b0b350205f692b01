"""The yardstick of the benchmarks about odds: one turn of R.O.C.K. Yahtzee without any shortcut."""

from __future__ import annotations

import time
from statistics import median

from games.core.registry import find_games
from games.rock_yahtzee.state import Card
from tests.games.rock_yahtzee.plain_odds import PlainOdds

ROUNDS = 5


def time_one_plain_turn() -> float:
    """Return the CPU seconds of valuing the turn by every throw and every choice, the median of five rounds."""
    setup = find_games()["rock-yahtzee"].ruleset({"turns": 1}).setup
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        PlainOdds(setup, float).get_worth(Card())
        taken.append(time.process_time() - began)
    return median(taken)
