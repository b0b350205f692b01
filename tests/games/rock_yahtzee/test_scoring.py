"""The table of points, checked against an independent scorer."""

from __future__ import annotations

from itertools import product

import pytest

from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.scoring import PAPER_POINTS, ROWS

ROLLS = list(product(range(1, 7), repeat=5))


def score_by_hand(dice: tuple[int, ...], box: str) -> int:
    """Return the points of the dice in a box, by the words of the rule book."""
    number = {"aces": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}.get(box)
    if number:
        return sum(die for die in dice if die == number)
    most = max(dice.count(die) for die in dice)
    if box == "three_of_a_kind":
        return sum(dice) if most >= 3 else 0
    if box == "four_of_a_kind":
        return sum(dice) if most >= 4 else 0
    if box == "full_house":
        return 25 if any(dice.count(a) == 3 and dice.count(b) == 2 for a in dice for b in dice) else 0
    if box == "small_straight":
        return 30 if any({low, low + 1, low + 2, low + 3} <= set(dice) for low in (1, 2, 3)) else 0
    if box == "large_straight":
        return 40 if sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) else 0
    if box == "yahtzee":
        return 50 if dice == (dice[0],) * 5 else 0
    assert box == "chance"
    return sum(dice)


@pytest.mark.parametrize("column", range(len(BOXES)), ids=lambda column: BOXES[column].word)
def test_a_box_gives_what_counting_gives_on_all_7776_rolls(column: int) -> None:
    """ROCK-7, ROCK-9, ROCK-10, ROCK-11, ROCK-12, ROCK-13, ROCK-15, ROCK-17, ROCK-23, ROCK-24"""
    assert len(ROWS) == len(ROLLS) == 7776
    wrong = [dice for dice in ROLLS if ROWS[dice][column] != score_by_hand(dice, BOXES[column].word)]
    assert wrong == []


def test_all_orders_of_the_same_dice_share_one_of_252_rows() -> None:
    assert len({id(row) for row in ROWS.values()}) == 252
    assert ROWS[3, 4, 5, 5, 2] is ROWS[2, 3, 4, 5, 5]


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.word)
def test_paper_can_give_nothing_but_0_and_what_some_dice_give(box: object) -> None:
    """ROCK-29"""
    word = box.word  # type: ignore[attr-defined]
    assert PAPER_POINTS[word] == tuple(sorted({0} | {score_by_hand(dice, word) for dice in ROLLS}))
