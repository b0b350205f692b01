"""The evaluator of hands against a program that tries everything, and its limits for cards that are still to come."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.cards import JOKER
from games.poker_run.cards import PACK
from games.poker_run.hands import WORDS, count_cards, find_highest, find_lowest, get_category, get_number
from tests.faults.scale import scaled
from tests.games.poker_run import plain_hands

# Packs in which straights, flushes and equal ranks are frequent.
SUITED = [card for card in PACK if card[-1] == "S"] + ["AH", "KH", "2H", "3D"]
NARROW = [card for card in PACK if card[:-1] in ("A", "2", "3", "4", "5", "6")]
PACKS = [list(PACK), SUITED, NARROW]


def draw(random: Random, *, jokers: int, most: int, is_one_deck: bool) -> list[str]:
    pack, size = random.choice(PACKS), random.randint(1, most)
    wild = min(random.randint(0, jokers), size)
    left = size - wild
    cards = random.sample(pack, min(left, len(pack))) if is_one_deck else random.choices(pack, k=left)
    return cards + [JOKER] * wild


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("is_one_deck", [False, True])
@settings(max_examples=scaled(150, 40), deadline=None)
@given(st.integers(0, 2**32))
def test_any_cards_make_what_trying_everything_finds(low: bool, is_one_deck: bool, seed: int) -> None:
    """POKER-7, POKER-8, POKER-9, POKER-10, POKER-11, POKER-13, POKER-14, POKER-15"""
    random = Random(seed)
    for jokers, most in ((0, 10), (1, 7), (2, 6), (2, 4)):
        cards = draw(random, jokers=jokers, most=most, is_one_deck=is_one_deck)
        assert get_number(tuple(cards), low) == plain_hands.number(cards, low=low), cards


@pytest.mark.parametrize("low", [False, True])
def test_up_to_three_cards_with_jokers_make_what_trying_everything_finds(low: bool) -> None:
    """POKER-14, POKER-15"""
    for size in range(4):
        for cards in combinations(("2S", "2H", "3D", "KC", "AS", JOKER, JOKER), size):
            if cards:
                assert get_number(cards, low) == plain_hands.number(cards, low=low), cards


@settings(max_examples=scaled(30, 8), deadline=None)
@given(st.integers(0, 2**32))
def test_a_card_that_is_still_free_is_worth_the_best_that_the_pack_has_left(seed: int) -> None:
    """POKER-4"""
    random = Random(seed)
    for free, most in ((1, 7), (2, 6)):
        held = random.sample(random.choice(PACKS), random.randint(1, most))
        jokers = [JOKER] * random.choice((0, 0, 1))
        left = [card for card in PACK if card not in held]
        expected = max(get_number((*held, *jokers, *more), False) for more in combinations(left, free))
        assert find_highest(count_cards([*held, *jokers]), free) == expected, (held, jokers, free)


def test_the_categories_of_all_hands_of_five_are_as_frequent_as_everybody_knows() -> None:
    """POKER-9: 2,598,960 hands of a pack without jokers."""
    random = Random(9)
    shares = {1: 0.4226, 0: 0.5012, 2: 0.0475, 3: 0.0211, 4: 0.0039, 5: 0.002}
    hands = 20_000
    found = Counter(get_category(find_highest(count_cards(random.sample(PACK, 5)))) for _ in range(hands))
    for category, share in shares.items():
        assert abs(found[category] / hands - share) < 4 * (share / hands) ** 0.5
    assert len(WORDS) == 10


def test_an_empty_hand_has_the_number_0() -> None:
    assert get_number((), False) == get_number((), True) == find_lowest(count_cards(())) == 0
