"""Poker hands: the best or the worst five of any number of cards, with wild jokers, as one number.

Terms: the *number* of a hand has six digits of base 16, its category and then five ranks (POKER-9, POKER-11); a higher
number is a better hand. `Held` counts cards instead of listing them: how many there are of each rank, and the ranks of
each suit. A joker is *wild*: any rank and suit, also those of a card that is held (POKER-14). *Free* cards are wild
too, but each is a card of its own that is not held, so they never make a fifth of a rank, and in a flush no rank twice.

The functions try the categories one after the other, the best or the lowest first, and never the choices of five out of
all cards. A test compares them with a program that does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.core.cards import JOKER
from games.core.text import Text, pgettext_noop
from games.poker_run.cards import ACE, RANK_OF, RANKS, SUITS

HAND = 5

_Shapes = tuple[tuple[int, tuple[int, ...]], ...]

HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE = range(10)
WORDS = (
    "high_card",
    "pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "five_of_a_kind",
)
# Other games have boxes of the same names, which some languages call otherwise.
LABELS: tuple[Text, ...] = (
    pgettext_noop("hand of cards", "High card"),
    pgettext_noop("hand of cards", "Pair"),
    pgettext_noop("hand of cards", "Two pairs"),
    pgettext_noop("hand of cards", "Three of a kind"),
    pgettext_noop("hand of cards", "Straight"),
    pgettext_noop("hand of cards", "Flush"),
    pgettext_noop("hand of cards", "Full house"),
    pgettext_noop("hand of cards", "Four of a kind"),
    pgettext_noop("hand of cards", "Straight flush"),
    pgettext_noop("hand of cards", "Five of a kind"),
)

# The ranks of each straight as bits, by its top card, the best first. The ace is also 1, for 5-4-3-2-A (POKER-8).
STRAIGHTS = tuple((top, sum(1 << rank for rank in range(top - 4, top + 1))) for top in range(ACE, 4, -1))
_DOWN = RANKS[::-1]
_STRAIGHT_BITS = frozenset(bits | (1 << ACE if bits & 2 else 0) | (2 if bits >> ACE else 0) for _, bits in STRAIGHTS)

# How often the ranks of a hand come, by category from the lowest on: those that straights and flushes beat, then those
# that beat them.
_SHAPES_BELOW: _Shapes = (
    (HIGH_CARD, (1, 1, 1, 1, 1)),
    (PAIR, (2, 1, 1, 1)),
    (TWO_PAIRS, (2, 2, 1)),
    (THREE, (3, 1, 1)),
)
_SHAPES_ABOVE: _Shapes = ((FULL_HOUSE, (3, 2)), (FOUR, (4, 1)))
_CATEGORY_OF_FEW = {(4,): FOUR, (3,): THREE, (3, 1): THREE, (2, 2): TWO_PAIRS, (2,): PAIR, (2, 1): PAIR}


class Held(NamedTuple):
    """The cards of a hand, counted.

    Attributes:
        counts: how many cards there are of each rank, by rank.
        suits: the ranks of each suit, the highest first and with repetitions.
        jokers: how many jokers there are.
    """

    counts: tuple[int, ...]
    suits: tuple[tuple[int, ...], ...]
    jokers: int

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.counts) + self.jokers


def count_cards(cards: Iterable[str]) -> Held:
    """Return the cards, counted."""
    counts = [0] * (ACE + 1)
    suits: dict[str, list[int]] = {suit: [] for suit in SUITS}
    jokers = 0
    for card in cards:
        if card == JOKER:
            jokers += 1
        else:
            rank = RANK_OF[card]
            counts[rank] += 1
            suits[card[-1]].append(rank)
    return Held(tuple(counts), tuple(tuple(sorted(ranks, reverse=True)) for ranks in suits.values()), jokers)


@lru_cache(maxsize=16_384)
def get_number(cards: tuple[str, ...], is_low: bool) -> int:
    """Return the number of the five cards that rank best for the goal; 0 without cards (POKER-7)."""
    held = count_cards(cards)
    return find_lowest(held) if is_low else find_highest(held)


def get_category(number: int) -> int:
    """Return the category of a hand's number."""
    return number >> 20


def get_ranks(number: int) -> tuple[int, ...]:
    """Return the five ranks of a hand's number; 0 for a missing card."""
    return tuple(number >> shift & 15 for shift in (16, 12, 8, 4, 0))


def make_number_key(number: int, is_low: bool) -> tuple[int, ...]:
    """Return what ranking compares of a hand's number; larger is better (POKER-12, POKER-13, POKER-16)."""
    return (sum(map(bool, get_ranks(number))), -number) if is_low else (number,)


def pack(category: int, ranks: Sequence[int]) -> int:
    """Return the number of a hand of up to five ranks that are listed as POKER-11 says."""
    number = category
    for index in range(HAND):
        number = number << 4 | (ranks[index] if index < len(ranks) else 0)
    return number


class _Cards(NamedTuple):
    """Cards that a best hand is looked for among.

    Attributes:
        wild: how many cards are wild, jokers and free ones.
        most: of how many cards of one rank a hand can be made.
    """

    counts: tuple[int, ...]
    suits: tuple[tuple[int, ...], ...]
    jokers: int
    free: int
    wild: int
    most: int


def find_highest(held: Held, free: int = 0) -> int:
    """Return the number of the best hand (POKER-12).

    Args:
        held: the cards.
        free: how many further cards there are, each of which may be any card that is not held.
    """
    wild = held.jokers + free
    cards = _Cards(*held, free, wild, max(held.counts) + wild)
    for category, find in _BEST_FIRST if held.size + free >= HAND else _BEST_FIRST_OF_FEW:
        if ranks := find(cards):
            return pack(category, ranks)
    return 0


def _find_five(cards: _Cards) -> tuple[int, ...]:
    if cards.most < HAND:
        return ()
    # A rank has four cards; only jokers, or cards that come again, make a fifth.
    counts, free, jokers = cards.counts, cards.free, cards.jokers
    found = (rank for rank in _DOWN if max(counts[rank], min(counts[rank] + free, 4)) + jokers >= HAND)
    return (next(found, 0),) * HAND if cards.jokers or not free or max(counts) >= HAND else ()


def _find_straight_flush(cards: _Cards) -> tuple[int, ...]:
    suits = [_to_bits(ranks) for ranks in cards.suits if len(ranks) + cards.wild >= HAND]
    return _find_straight(suits, cards.wild)


def _find_four(cards: _Cards) -> tuple[int, ...]:
    if cards.most < 4:
        return ()
    rank = _find_most(cards, 4)
    others = _list_others(cards, rank)
    if cards.counts[rank] + cards.wild > 4:  # no fifth of this rank is left, so the card over is the best of another
        others = [ACE if rank != ACE else ACE - 1]
    return (rank,) * 4 + tuple(others[:1])


def _find_full_house(cards: _Cards) -> tuple[int, ...]:
    """Return the best full house, for cards that make nothing better."""
    held = [rank for rank in _DOWN if cards.counts[rank]]
    for three in held if cards.most >= 3 else ():
        missing = max(3 - cards.counts[three], 0)
        for two in held:
            if two != three and missing + max(2 - cards.counts[two], 0) <= cards.wild:
                return (three,) * 3 + (two,) * 2
    return ()


def _find_flush(cards: _Cards) -> tuple[int, ...]:
    flushes = [_list_flush(ranks, cards.jokers, cards.free) for ranks in cards.suits if len(ranks) + cards.wild >= HAND]
    return max(flushes, default=())


def _list_flush(ranks: Sequence[int], jokers: int, free: int) -> tuple[int, ...]:
    """Return the ranks of the best flush in a suit. Jokers are aces, and free cards the best that are not held."""
    missing = [rank for rank in _DOWN if rank not in ranks][:free] if free else []
    return tuple(sorted([*[ACE] * jokers, *missing, *ranks], reverse=True)[:HAND])


def _find_straight_of_any_suits(cards: _Cards) -> tuple[int, ...]:
    return _find_straight([_to_bits(rank for rank in RANKS if cards.counts[rank])], cards.wild)


def _find_three(cards: _Cards) -> tuple[int, ...]:
    if cards.most < 3:
        return ()
    rank = _find_most(cards, 3)
    return (rank,) * 3 + tuple(_list_others(cards, rank)[:2])


def _find_two_pairs(cards: _Cards) -> tuple[int, ...]:
    pairs = [rank for rank in _DOWN if cards.counts[rank] == 2][:2]
    if len(pairs) < 2:
        return ()
    return (pairs[0],) * 2 + (pairs[1],) * 2 + tuple(_list_others(cards, *pairs)[:1])


def _find_pair(cards: _Cards) -> tuple[int, ...]:
    if cards.most < 2:
        return ()
    rank = _find_most(cards, 2)
    return (rank,) * 2 + tuple(_list_others(cards, rank)[:3])


def _find_high_card(cards: _Cards) -> tuple[int, ...]:
    return tuple(([ACE] * cards.wild + _list_others(cards))[:HAND])


_Find = Callable[[_Cards], tuple[int, ...]]
_BEST_FIRST: Sequence[tuple[int, _Find]] = (
    (FIVE, _find_five),
    (STRAIGHT_FLUSH, _find_straight_flush),
    (FOUR, _find_four),
    (FULL_HOUSE, _find_full_house),
    (FLUSH, _find_flush),
    (STRAIGHT, _find_straight_of_any_suits),
    (THREE, _find_three),
    (TWO_PAIRS, _find_two_pairs),
    (PAIR, _find_pair),
    (HIGH_CARD, _find_high_card),
)
_WHOLE = frozenset((FIVE, STRAIGHT_FLUSH, FULL_HOUSE, FLUSH, STRAIGHT))  # never of fewer than five cards (POKER-15)
_BEST_FIRST_OF_FEW = tuple((category, find) for category, find in _BEST_FIRST if category not in _WHOLE)


def _to_bits(ranks: Iterable[int]) -> int:
    bits = 0
    for rank in ranks:
        bits |= 1 << rank
    return bits | 1 << 1 if bits >> ACE else bits


def _find_straight(sets: Sequence[int], wild: int) -> tuple[int, ...]:
    """Return the ranks of the best straight that one of the sets of ranks makes with wild cards; none without any."""
    for top, straight in STRAIGHTS if sets else ():
        if any((straight & ~bits).bit_count() <= wild for bits in sets):
            return _list_straight(top)
    return ()


def _list_straight(top: int) -> tuple[int, ...]:
    return tuple(range(top, top - HAND, -1))


def _find_most(cards: _Cards, number: int) -> int:
    """Return the highest rank of which so many cards can be had."""
    return next(rank for rank in _DOWN if cards.counts[rank] + cards.wild >= number)


def _list_others(cards: _Cards, *without: int) -> list[int]:
    """Return the ranks of all cards of other ranks, the highest first."""
    return [rank for rank in _DOWN if rank not in without for _ in range(cards.counts[rank])]


def find_lowest(held: Held) -> int:
    """Return the number of the worst hand of as many cards as possible, up to five (POKER-13, POKER-16)."""
    counts, suits, jokers = held
    if held.size < HAND:
        missing = [rank for rank in RANKS if not counts[rank]][:jokers]
        return _pack_few([count + (rank in missing) for rank, count in enumerate(counts)])
    # A joker breaks every straight and every flush, so these are a matter of cards alone.
    pure = [] if jokers else _list_pure(counts, suits)
    straights = [] if jokers else _list_low_straights(counts)
    flush: tuple[int, ...] = (ACE + 1,)
    for category, ranks in _list_low_below(counts, jokers):
        if not _is_flush(ranks, pure):
            return pack(category, ranks)
        flush = min(flush, tuple(sorted(ranks, reverse=True)))
    for top in straights:
        if not _is_flush(_list_straight(top), pure):
            return pack(STRAIGHT, _list_straight(top))
    if len(flush) == HAND:
        return pack(FLUSH, flush)
    for category, shape in _SHAPES_ABOVE:
        for ranks in _list_low(counts, jokers, shape):
            return pack(category, ranks)
    if straights:
        return pack(STRAIGHT_FLUSH, _list_straight(straights[0]))
    return pack(FIVE, next(_list_low(counts, jokers, (HAND,))))


def _list_low_below(counts: Sequence[int], jokers: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the category and the ranks of all hands that a straight beats, the lowest first, whatever their suits."""
    for category, shape in _SHAPES_BELOW:
        for ranks in _list_low(counts, jokers, shape):
            if category != HIGH_CARD or _to_bits(ranks) not in _STRAIGHT_BITS:
                yield category, ranks


def _is_flush(ranks: Iterable[int], pure: Sequence[int]) -> bool:
    """Return whether cards of these ranks can only be of one suit.

    Args:
        pure: for each suit, the ranks that the hand has in this suit only.
    """
    bits = _to_bits(ranks)
    return any(bits & ~suit == 0 for suit in pure)


def _pack_few(counts: Sequence[int]) -> int:
    """Return the number of a hand of fewer than five cards, without wild ones (POKER-15)."""
    groups = sorted(((count, rank) for rank, count in enumerate(counts) if count), reverse=True)
    shape = tuple(count for count, _ in groups)
    category = _CATEGORY_OF_FEW.get(shape[:2], HIGH_CARD) if shape else HIGH_CARD
    return pack(category, [rank for count, rank in groups for _ in range(count)])


def _list_pure(counts: Sequence[int], suits: Sequence[Sequence[int]]) -> list[int]:
    """Return, for each suit, the ranks that the hand has in this suit only, as bits."""
    return [_to_bits(rank for rank in set(ranks) if ranks.count(rank) == counts[rank]) for ranks in suits]


def _list_low_straights(counts: Sequence[int]) -> list[int]:
    """Return the top cards of the straights that cards make, the lowest first."""
    bits = _to_bits(rank for rank in RANKS if counts[rank])
    return [top for top, straight in reversed(STRAIGHTS) if straight & ~bits == 0]


def _list_low(counts: Sequence[int], jokers: int, shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ranks of all hands of a shape that the cards make with jokers, the lowest first."""
    held = [rank for rank in RANKS if counts[rank]]
    # Jokers never need more ranks than the lowest that are not held and two in reserve, which avoid a straight.
    spare = [rank for rank in RANKS if not counts[rank]][: jokers + 2] if jokers else []
    ranks = sorted(held + spare)
    groups = [(times, shape.count(times)) for times in sorted(set(shape), reverse=True)]
    yield from _list_groups(counts, jokers, groups, ranks)


def _list_groups(
    counts: Sequence[int], jokers: int, groups: Sequence[tuple[int, int]], ranks: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    if not groups:
        yield ()
        return
    (times, number), *later = groups
    for chosen in _list_selections(ranks, number):
        left = jokers - sum(max(times - counts[rank], 0) for rank in chosen)
        if left >= 0:
            others = [rank for rank in ranks if rank not in chosen]
            for rest in _list_groups(counts, left, later, others):
                yield (*(rank for rank in chosen for _ in range(times)), *rest)


def _list_selections(ranks: Sequence[int], number: int) -> Iterator[tuple[int, ...]]:
    """Yield all selections of ascending ranks, each from the highest down, the lowest first."""
    if not number:
        yield ()
        return
    for index in range(number - 1, len(ranks)):
        for rest in _list_selections(ranks[:index], number - 1):
            yield (ranks[index], *rest)
