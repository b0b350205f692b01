"""Chances of places, against every way that a few cards can end."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial
from random import Random

import pytest

from games.core.chances import list_nodes, list_place_chances
from games.core.odds import Distribution

EXACT = 1e-12


def count_places(cards: list[Distribution], top: int) -> list[tuple[float, float]]:
    """Return each card's chance to win and to be among the first, from all totals and all orders of level cards."""
    won, placed = [0.0] * len(cards), [0.0] * len(cards)
    possible = [list(enumerate(card.chances, start=card.lowest)) for card in cards]
    for ending in product(*possible):
        chance = 1.0
        for _total, own in ending:
            chance *= own
        for lots in permutations(range(len(cards))):
            order = sorted(range(len(cards)), key=lambda card: (-ending[card][0], lots[card]))
            won[order[0]] += chance / factorial(len(cards))
            for card in order[:top]:
                placed[card] += chance / factorial(len(cards))
    return list(zip(won, placed, strict=True))


def draw(random: Random, size: int) -> Distribution:
    weights = [random.choice([0, 1, 2, 5]) for _ in range(size)] + [1]
    return Distribution(random.randint(0, 3), tuple(weight / sum(weights) for weight in weights))


@pytest.mark.parametrize("seed", range(12))
def test_every_chance_is_that_of_counting_all_endings(seed: int) -> None:
    random = Random(seed)
    cards = [draw(random, random.randint(1, 3)) for _ in range(random.randint(1, 5))]
    if seed % 2:
        cards[-1] = cards[0]
    top = random.randint(1, 3)

    found = list_place_chances(dict(enumerate(cards)), top)

    for card, (win, place) in enumerate(count_places(cards, top)):
        assert found[card].win == pytest.approx(win, abs=EXACT)
        assert found[card].among_top == pytest.approx(place, abs=EXACT)


def test_the_chances_to_win_add_up_to_one_and_places_to_their_number() -> None:
    random = Random(5)
    cards = {number: draw(random, 30) for number in range(60)}

    found = list_place_chances(cards)

    assert sum(chances.win for chances in found.values()) == pytest.approx(1, abs=1e-9)
    assert sum(chances.among_top for chances in found.values()) == pytest.approx(3, abs=1e-9)


def test_cards_that_have_ended_have_certain_places() -> None:
    ended = {"12": Distribution(150, (1.0,)), "14": Distribution(140, (1.0,)), "15": Distribution(150, (1.0,))}

    found = list_place_chances(ended, 2)

    assert found["12"] == pytest.approx((0.5, 1.0))
    assert found["14"] == pytest.approx((0.0, 0.0))


def test_equal_cards_have_equal_chances() -> None:
    cards = {number: Distribution(100, (0.25, 0.5, 0.25)) for number in range(200)}

    found = list_place_chances(cards)

    assert all(chances == pytest.approx((1 / 200, 3 / 200), abs=1e-9) for chances in found.values())


def test_without_cards_there_is_nothing() -> None:
    assert list_place_chances({}) == {}


@pytest.mark.parametrize("count", [1, 4, 16])
def test_the_rule_integrates_powers_exactly(count: int) -> None:
    for power in range(2 * count):
        assert sum(weight * node**power for node, weight in list_nodes(count)) == pytest.approx(1 / (power + 1))
