"""Makes the table of what comes of an empty hand: ``python -m games.poker_run.odds.make_table > …/table_data.py``.

It takes some minutes. The counts are those of `counting`, so the table changes the time and never a figure. Where each
turn of one card has a full deck of its own, up to five cards are counted by their ranks: they are a flush only if all
of them are of one suit.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from games.core.time_limit import TimeLimit
from games.poker_run.cards import ACE, RANKS, SUITS
from games.poker_run.game import GAME
from games.poker_run.hands import HAND, WORDS, Held, find_highest, find_lowest, get_category
from games.poker_run.odds.counting import NO_SUITS, Counts, count_completions
from games.poker_run.odds.future import get_future
from games.poker_run.odds.table import Key
from games.poker_run.state import MAX_JOKERS, Hand

NO_LIMIT = 1e9
SIZES = (5, 6, 7)  # of the hand in the end, from one deck
STOPS = (4, 5)  # with a deck each; from three stops on, few enough completions are counted when asked for


ABOUT = '''"""What comes of an empty hand, by the cards of each slot, the jokers, and whether the lowest hand counts.

It was made by `python -m games.poker_run.odds.make_table`.
"""

COUNTS: dict[tuple[tuple[int, ...], int, bool], tuple[int, ...]] = {
'''


def main() -> None:
    """Write the module with the table."""
    sys.stdout.write(ABOUT)
    for key, counts in _list_rows():
        sys.stdout.write(f"    {key}: {tuple(counts)},\n")
    sys.stdout.write("}\n")


def _list_rows() -> Iterator[tuple[Key, Counts]]:
    for jokers in range(MAX_JOKERS + 1):
        for is_low in (False, True):
            for size in SIZES:
                options = {"turns": size, "jokers": jokers, "goal": "low" if is_low else "high"}
                future = get_future(GAME.ruleset(options).setup, Hand())
                yield ((size,), jokers, is_low), count_completions(future, TimeLimit(NO_LIMIT))
            for stops in STOPS:
                yield ((1,) * stops, jokers, is_low), count_stops(stops, jokers, is_low)


def count_stops(stops: int, jokers: int, is_low: bool) -> Counts:
    """Return how many ways to draw a card from a full deck at each of up to five stops end in each category."""
    found = [0] * len(WORDS)
    for wild in range(stops + 1 if jokers else 1):
        number = stops - wild
        for ranks in combinations_with_replacement(RANKS, number):
            counts = Counter(ranks)
            ways = comb(stops, wild) * jokers**wild * factorial(number)
            ways //= prod(map(factorial, counts.values()))
            by_rank = tuple(counts[rank] for rank in range(ACE + 1))
            one_suit = (tuple(reversed(ranks)), (), (), ())
            of_one_suit = len(SUITS) if number and stops == HAND else 0
            found[_categorize(Held(by_rank, NO_SUITS, wild), is_low)] += ways * (len(SUITS) ** number - of_one_suit)
            found[_categorize(Held(by_rank, one_suit, wild), is_low)] += ways * of_one_suit
    return found


def _categorize(held: Held, is_low: bool) -> int:
    return get_category(find_lowest(held) if is_low else find_highest(held))


if __name__ == "__main__":
    main()
