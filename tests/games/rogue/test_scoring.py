"""The table of keeps, checked against an independent scorer."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from games.core.reading import Face
from games.rogue.scoring import FACES, KEEPS, get_best_keep, sort_dice

Dice = tuple[Face, ...]

PRINTED = {
    "two": {2: 4, 3: 6, 4: 8, 5: 10, 6: 12, "C": 15},
    "three": {2: 20, 3: 30, 4: 40, 5: 50, 6: 60, "C": 75},
    "four": {2: 100, 3: 150, 4: 200, 5: 250, 6: 300, "C": 350},
    "five": {2: 500, 3: 600, 4: 700, 5: 800, 6: 900, "C": 1000},
    "six": {2: 1300, 3: 1300, 4: 1300, 5: 1300, 6: 1300, "C": 1500},
}
WORDS = dict(enumerate(PRINTED, 2))


def score_by_hand(showing: Dice, kept: Dice) -> int | None:
    """Return the points of a selection by the words of the rule book; None if it cannot be set aside."""
    if len(kept) == 6 and set(kept) == {"C", 2, 3, 4, 5, 6}:
        return 250
    rest = list(kept)
    factor = 1
    if showing.count("C") == 1 and "C" in rest:
        rest.remove("C")
        factor = 2
    points = 0
    for face, alike in Counter(rest).items():
        if alike == 1:
            return None
        points += PRINTED[WORDS[alike]][face]
    return factor * points


@pytest.mark.parametrize("size", range(1, 7))
def test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll(size: int) -> None:
    """ROGUE-4, ROGUE-5, ROGUE-7, ROGUE-9, ROGUE-10, ROGUE-11, ROGUE-16, ROGUE-17, ROGUE-18, ROGUE-19, ROGUE-20"""
    for showing in combinations_with_replacement(FACES, size):
        selections = {kept for many in range(1, size + 1) for kept in combinations(showing, many)}
        possible = {kept: score_by_hand(showing, kept) for kept in selections}
        assert KEEPS[showing] == {kept: points for kept, points in possible.items() if points is not None}


def test_six_dice_always_have_something_to_set_aside() -> None:
    """ROGUE-3"""
    assert all(KEEPS[showing] for showing in combinations_with_replacement(FACES, 6))
    assert not KEEPS[2, 3, 4, 5, 6]


def test_there_are_923_rolls_and_never_more_than_64_keeps_of_one() -> None:
    assert len(KEEPS) == 923
    assert max(len(keeps) for keeps in KEEPS.values()) <= 64


def test_dice_are_in_order_with_the_critters_last() -> None:
    assert sort_dice(("C", 6, 2, "C", 4, 2)) == (2, 2, 4, 6, "C", "C")
    assert all(sort_dice(showing) == showing for showing in KEEPS)


@pytest.mark.parametrize(
    ("showing", "best"),
    [((2, 2, 4, 5, 6, "C"), (2, 2, "C")), ((2, 3, "C"), ("C",)), (FACES, FACES), ((5, 5, "C", "C"), (5, 5, "C", "C"))],
)
def test_the_best_keep_has_the_most_points(showing: Dice, best: Dice) -> None:
    assert get_best_keep(showing) == best
