"""Chances from some of the ways in which a hand can go on, where there are too many to count.

The completions are drawn by numbers that look random and depend on the hand and the options alone, so the same question
has the same answer everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from math import sqrt

from games.core.time_limit import TimeLimit
from games.poker_run.odds.counting import CHECKED_EVERY, Hands, find_number
from games.poker_run.odds.future import Future, Slot

SAMPLES = 20_000
_BITS = (1 << 64) - 1
WIDTH = 1.96  # of half a 95 % interval, in standard errors


class _Numbers:
    """Numbers that look random, by the generator SplitMix64; the same seed gives the same numbers."""

    def __init__(self, seed: str):
        self._state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def draw(self, slot: Slot) -> list[str]:
        """Return the cards of a slot."""
        pack, left, state = list(slot.pack), len(slot.pack), self._state
        for index in range(slot.size):
            # Written out instead of a function of its own, which would take most of the time.
            state = state + 0x9E3779B97F4A7C15 & _BITS
            number = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _BITS
            number = (number ^ number >> 27) * 0x94D049BB133111EB & _BITS
            other = index + (number ^ number >> 31) % (left - index)
            pack[index], pack[other] = pack[other], pack[index]
        self._state = state
        return pack[: slot.size]


def sample_completions(future: Future, limit: TimeLimit, samples: int = SAMPLES) -> Hands:
    """Return how many of so many random completions end in each hand. Raises `OutOfTime`."""
    numbers = _Numbers(repr(future))
    found: Counter[int] = Counter()
    for number in range(samples):
        if number % CHECKED_EVERY == 0:
            limit.check()
        cards = list(future.held)
        for slot in future.slots:
            cards += numbers.draw(slot)
        found[find_number(tuple(cards), future.is_low)] += 1
    return found


def compute_margins(chances: Sequence[float]) -> tuple[float, ...]:
    """Return half a 95 % interval around each sampled chance, by Wilson's formula: it is never 0."""
    square = WIDTH**2 / SAMPLES
    return tuple(
        WIDTH / (1 + square) * sqrt(chance * (1 - chance) / SAMPLES + square / (4 * SAMPLES)) for chance in chances
    )
