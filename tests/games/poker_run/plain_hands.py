"""Poker hands by trying everything: an independent program that the evaluator of the game is compared with.

It knows cards as pairs of a rank from 2 to 14 and a suit, replaces each joker by each of the 52 cards, and looks at
every choice of five. It shares nothing with the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product

Pair = tuple[int, str]

LETTERS = {"J": 11, "Q": 12, "K": 13, "A": 14}
ALL = [(rank, suit) for rank in range(2, 15) for suit in "SHDC"]


def read(card: str) -> Pair | None:
    """Return the rank and the suit of a card; None for a joker."""
    if card == "JOKER":
        return None
    return LETTERS.get(card[:-1]) or int(card[:-1]), card[-1]


def number(cards: Sequence[str], *, low: bool = False) -> int:
    """Return the number of the five cards that suit the goal best (POKER-7), or of all that there are."""
    found = [read(card) for card in cards]
    fixed = [card for card in found if card is not None]
    numbers = [evaluate(hand) for hand in _list_hands(fixed, len(found) - len(fixed))]
    return (min if low else max)(numbers)


def _list_hands(fixed: Sequence[Pair], jokers: int) -> Iterator[Sequence[Pair]]:
    size = min(len(fixed) + jokers, 5)
    for wild in range(max(size - len(fixed), 0), min(jokers, size) + 1):
        for some, others in product(combinations(fixed, size - wild), combinations_with_replacement(ALL, wild)):
            yield some + others


def evaluate(hand: Sequence[Pair]) -> int:
    """Return the number of up to five cards (POKER-8 to POKER-11, POKER-15)."""
    ranks = sorted((rank for rank, _ in hand), reverse=True)
    counts = Counter(ranks)
    listed = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
    alike = sorted(counts.values(), reverse=True)
    whole = len(hand) == 5
    is_flush = whole and len({suit for _, suit in hand}) == 1
    is_straight = whole and len(counts) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [14, 5, 4, 3, 2])
    in_a_row = [5, 4, 3, 2, 1] if ranks == [14, 5, 4, 3, 2] else ranks
    if alike[:1] == [5]:
        return _digits(9, listed)
    if is_straight and is_flush:
        return _digits(8, in_a_row)
    if alike[:1] == [4]:
        return _digits(7, listed)
    if alike == [3, 2]:
        return _digits(6, listed)
    if is_flush:
        return _digits(5, ranks)
    if is_straight:
        return _digits(4, in_a_row)
    if alike[:1] == [3]:
        return _digits(3, listed)
    if alike[:2] == [2, 2]:
        return _digits(2, listed)
    return _digits(1 if alike[:1] == [2] else 0, listed)


def _digits(category: int, ranks: Sequence[int]) -> int:
    text = f"{category:x}" + "".join(f"{rank:x}" for rank in ranks)
    return int(text.ljust(6, "0"), 16)
