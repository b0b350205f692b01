"""How long the chances to win of 200 cards take, each with none to all of its turns played at random: ``python -m
benchmarks.telling_chances``.

They are found twice: first with what their rules need once, and then without. So are those of 200 hands of a poker run,
of the usual five stops and of seven stops, where most hands are sampled. Times are CPU seconds, also as multiples of
the yardstick of `telling_odds`. The script exits with status 1 if the goal is missed, which is that of cards with dice.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.plain_turn import time_one_plain_turn  # noqa: E402 - the path is set above
from games.core.cards import CARDS as CODES  # noqa: E402
from games.core.chances import list_place_chances  # noqa: E402
from games.core.game import Ruleset  # noqa: E402
from games.core.odds import Wanted, find_best  # noqa: E402
from games.core.registry import find_games  # noqa: E402
from games.core.time_limit import TimeLimit  # noqa: E402

CARDS, PLACES = 200, 3
GOAL = 5.0  # CPU seconds for all cards, the rules included


def main() -> int:
    """Print both times. Return 1 if the goal is missed, else 0."""
    yardstick = time_one_plain_turn()
    game = find_games()["rock-yahtzee"]
    # Played by slightly other rules, so that nothing of the rules that are measured is ready.
    cards = _play_cards(game.ruleset({"upper_bonus": {"threshold": 84, "points": 35}}))
    first, later = (_time_chances(game.ruleset(), cards) for _ in range(2))
    print(f"one turn without shortcuts: {yardstick:.2f} s")
    for name, taken in (("with their rules", first), ("again", later)):
        print(f"chances of {CARDS} cards, {name}: {taken:.2f} s, {taken / yardstick:.1f} times (goal: {GOAL:g} s)")
    for turns in (5, 7):
        hands = _draw_hands(find_games()["poker-run"].ruleset({"turns": turns}), random.Random(1))
        for name in ("first", "again"):
            taken = _time_chances(hands[0].ruleset, hands)
            print(f"chances of {CARDS} hands of {turns} stops, {name}: {taken:.2f} s, {taken / yardstick:.1f} times")
    return int(first > GOAL)


def _draw_hands(ruleset: Ruleset, chance: random.Random) -> list[Any]:
    """Return the states of hands that hold none to all of their cards."""
    hands = []
    for _ in range(CARDS):
        state = ruleset.game.start(ruleset, 1)
        for card in chance.sample(sorted(CODES), chance.randint(0, ruleset.options["turns"])):
            draw = {"type": "draw", "seat": 0, "cards": [card]}
            state = ruleset.game.apply(state, ruleset.read_action(draw, 1))
        hands.append(state)
    return hands


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
    endings = {}
    for number, state in enumerate(states):
        found = ruleset.game.endings(state._replace(ruleset=ruleset), 0, TimeLimit())
        assert found is not None
        endings[number] = found
    list_place_chances(endings, PLACES)
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
