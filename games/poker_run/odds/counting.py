"""How many of the ways in which a hand can go on end in each hand, by its number.

Completions are not listed one by one. All that have the same number of cards of each rank have the same hand but for
flushes, so the hand is looked at once, and their number is a product of binomial coefficients. Only the cards of suits
that can still become a flush are then chosen one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod

from games.core.cards import JOKER
from games.core.time_limit import TimeLimit
from games.poker_run.cards import ACE, CARD_OF, RANK_OF, RANKS, SUITS, Cards
from games.poker_run.hands import (
    FIVE,
    HAND,
    HIGH_CARD,
    STRAIGHT,
    WORDS,
    Held,
    count_cards,
    find_highest,
    find_lowest,
    get_category,
    get_ranks,
)
from games.poker_run.odds.future import Future, Slot

NO_SUITS: tuple[tuple[int, ...], ...] = ((),) * len(SUITS)
CHECKED_EVERY = 256

Counts = list[int]  # by category
Hands = Mapping[int, int]  # how often each hand comes, by its number


def count_completions(future: Future, limit: TimeLimit) -> Counts:
    """Return how many completions end in each category. Raises `OutOfTime`."""
    return add_up_categories(count_hands(future, limit))


def add_up_categories(hands: Hands) -> Counts:
    """Return how often each category comes."""
    found = [0] * len(WORDS)
    for number, ways in hands.items():
        found[get_category(number)] += ways
    return found


def count_hands(future: Future, limit: TimeLimit) -> Hands:
    """Return how many completions end in each hand. Raises `OutOfTime`."""
    if len(future.slots) == 1 and not (set(future.held) & set(future.slots[0].pack)) - {JOKER}:
        return _count_in_one_pack(future, future.slots[0], limit)
    return _count_in_packs(future, limit)


def _count_in_packs(future: Future, limit: TimeLimit) -> Hands:
    """Count where cards may come again: put the slots together, each multiset of cards once."""
    weights: Mapping[Cards, int] = {future.held: 1}
    for slot in future.slots:
        drawn = Counter(combinations(slot.pack, slot.size))
        joined: Counter[Cards] = Counter()
        for cards, weight in weights.items():
            limit.check()
            for more, ways in drawn.items():
                joined[tuple(sorted(cards + more))] += weight * ways
        weights = joined
    found: Counter[int] = Counter()
    for number, (cards, weight) in enumerate(weights.items()):
        if number % CHECKED_EVERY == 0:
            limit.check()
        found[find_number(cards, future.is_low)] += weight
    return found


def find_number(cards: Cards, is_low: bool) -> int:
    """Return the number of the five of these cards that count."""
    suits = [card[-1] for card in cards]
    jokers = cards.count(JOKER)
    # A joker breaks every flush that would be too good for the lowest hand.
    wild = -HAND * jokers if is_low else jokers
    if max(map(suits.count, SUITS)) + wild >= HAND:
        held = count_cards(cards)
        return find_lowest(held) if is_low else find_highest(held)
    return _find_by_ranks(tuple(sorted(RANK_OF[card] for card in cards if card != JOKER)), jokers, is_low)


@lru_cache(maxsize=65_536)
def _find_by_ranks(ranks: tuple[int, ...], jokers: int, is_low: bool) -> int:
    """Return the number of the five of these cards that count, where suits make no difference."""
    held = Held(tuple(ranks.count(rank) for rank in range(ACE + 1)), NO_SUITS, jokers)
    return find_lowest(held) if is_low else find_highest(held)


def _count_in_one_pack(future: Future, slot: Slot, limit: TimeLimit) -> Hands:
    """Count where no card comes again, neither one that is held nor one of the slot."""
    held, jokers = count_cards(future.held), slot.pack.count(JOKER)
    free = [
        [suit for suit in SUITS if rank >= RANKS[0] and CARD_OF[rank, suit] in slot.pack] for rank in range(ACE + 1)
    ]
    suits = [sum(1 << rank for rank in ranks) for ranks in held.suits]
    found: Counter[int] = Counter()
    for more in range(min(jokers, slot.size) + 1):
        ways = comb(jokers, more)
        wild = held._replace(jokers=held.jokers + more)
        for number, drawn in enumerate(_list_rank_counts(free, slot.size - more)):
            if number % CHECKED_EVERY == 0:
                limit.check()
            for hand, count in _count_suits(wild, suits, free, drawn, future.is_low):
                found[hand] += ways * count
    return +found


def _list_rank_counts(
    free: Sequence[Sequence[str]], size: int, rank: int = ACE
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every way to draw so many cards of this rank and lower ones, as ranks with their numbers of cards."""
    if not size:
        yield ()
        return
    if rank < RANKS[0]:
        return
    room = sum(map(len, free[RANKS[0] : rank]))  # for the others; without this, most ways would lead nowhere
    for number in range(max(0, size - room), min(len(free[rank]), size) + 1):
        for rest in _list_rank_counts(free, size - number, rank - 1):
            yield ((rank, number), *rest) if number else rest


def _count_suits(
    held: Held, suits: Sequence[int], free: Sequence[Sequence[str]], drawn: Sequence[tuple[int, int]], is_low: bool
) -> Iterator[tuple[int, int]]:
    """Yield hands with the numbers of completions that draw so many cards of each rank."""
    counts = list(held.counts)
    for rank, number in drawn:
        counts[rank] += number
    ways = prod(comb(len(free[rank]), number) for rank, number in drawn)
    whole = Held(tuple(counts), NO_SUITS, held.jokers)
    number = find_lowest(whole) if is_low else find_highest(whole)
    if whole.size < HAND or get_category(number) == FIVE:
        yield number, ways
        return
    if is_low:
        hands = [] if held.jokers else list(_list_hands_of_one_suit(held, free, drawn, number))
        yield from ((hand, 1) for hand in hands)
        yield number, ways - len(hands)
        return
    for flush, count in _count_flushes(suits, free, drawn, held.jokers, sum(counts)).items():
        ways -= count
        yield max(flush, number), count
    yield number, ways


def _list_hands_of_one_suit(
    held: Held, free: Sequence[Sequence[str]], drawn: Sequence[tuple[int, int]], number: int
) -> Iterator[int]:
    """Yield the lowest hand of each completion whose cards of the lowest ranks can only be of one suit.

    Args:
        number: of the lowest hand if suits did not matter. Of all hands, only one of five ranks can be of one suit.
    """
    if get_category(number) not in (HIGH_CARD, STRAIGHT):
        return
    lowest = {rank if rank >= RANKS[0] else ACE for rank in get_ranks(number)}
    numbers = dict(drawn)
    if any(held.counts[rank] + numbers.get(rank, 0) != 1 for rank in lowest):
        return
    others = [(rank, count) for rank, count in drawn if rank not in lowest]
    for index, suit in enumerate(SUITS):
        if not all(suit in free[rank] if rank in numbers else rank in held.suits[index] for rank in lowest):
            continue
        of_suit = [(rank, suit) for rank in lowest if rank in numbers]
        for chosen in product(*(combinations(free[rank], count) for rank, count in others)):
            more = [(rank, suit) for (rank, _), some in zip(others, chosen, strict=True) for suit in some]
            yield find_lowest(_add_cards(held, [*of_suit, *more]))


def _add_cards(held: Held, cards: Iterable[tuple[int, str]]) -> Held:
    """Return counted cards with further ones, given as ranks with their suits."""
    counts, suits = list(held.counts), [list(ranks) for ranks in held.suits]
    for rank, suit in cards:
        counts[rank] += 1
        suits[SUITS.index(suit)].append(rank)
    return Held(tuple(counts), tuple(tuple(sorted(ranks, reverse=True)) for ranks in suits), held.jokers)


def _count_flushes(
    suits: Sequence[int], free: Sequence[Sequence[str]], drawn: Sequence[tuple[int, int]], wild: int, size: int
) -> Hands:
    """Return how many completions have each flush, straight flushes included, as their best one.

    Args:
        suits: the ranks that are held of each suit, as bits.
        wild: how many jokers there are.
        size: how many cards there are besides them in the end.
    """
    needed = HAND - wild
    live = [
        index
        for index, suit in enumerate(SUITS)
        if suits[index].bit_count() + sum(1 for rank, _ in drawn if suit in free[rank]) >= needed
    ]
    if not live:
        return {}
    # Two suits can both become a flush only with enough cards for both. Otherwise each is counted by itself, and suits
    # with the same cards are counted once.
    if len(live) > 1 and 2 * needed <= size:
        return _count_choices(tuple(suits), free, drawn, live, needed)
    alike: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for index in live:
        is_free = tuple(SUITS[index] in free[rank] for rank, _ in drawn)
        alike.setdefault((suits[index], is_free), []).append(index)
    found: Counter[int] = Counter()
    for same in alike.values():
        for flush, count in _count_choices(tuple(suits), free, drawn, same[:1], needed).items():
            found[flush] += len(same) * count
    return found


def _count_choices(
    suits: tuple[int, ...],
    free: Sequence[Sequence[str]],
    drawn: Sequence[tuple[int, int]],
    live: list[int],
    needed: int,
) -> Hands:
    """Choose the cards of the live suits one rank after the other, and count those of all others at once."""
    if not any(suits[index].bit_count() + len(drawn) >= needed for index in live):
        return {}
    if not drawn:
        flushes = [suits[index] for index in live if suits[index].bit_count() >= needed]
        return {max(_find_flush(bits, HAND - needed) for bits in flushes): 1} if flushes else {}
    (rank, number), *later = drawn
    own = [index for index in live if SUITS[index] in free[rank]]
    others = len(free[rank]) - len(own)
    found: Counter[int] = Counter()
    for chosen in range(max(number - others, 0), min(number, len(own)) + 1):
        ways = comb(others, number - chosen)
        for some in combinations(own, chosen):
            after = tuple(bits | 1 << rank if index in some else bits for index, bits in enumerate(suits))
            for flush, count in _count_choices(after, free, later, live, needed).items():
                found[flush] += ways * count
    return found


@lru_cache(maxsize=65_536)
def _find_flush(bits: int, wild: int) -> int:
    """Return the number of the best hand of cards of one suit."""
    ranks = tuple(rank for rank in range(ACE, 0, -1) if bits >> rank & 1)
    counts = tuple(bits >> rank & 1 for rank in range(ACE + 1))
    return find_highest(Held(counts, (ranks, (), (), ()), wild))
