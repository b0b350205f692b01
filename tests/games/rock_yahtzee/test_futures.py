"""What cards have in common: the points that the bonus still wants, against every way to fill the upper boxes."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from games.rock_yahtzee.odds.future import Worth, fold
from games.rock_yahtzee.odds.lanes import Lanes, read_lane

WORTH = Worth((50,), 35)


@pytest.mark.parametrize("seed", range(40))
def test_the_points_wanted_are_the_next_sum_that_the_open_boxes_can_give(seed: int) -> None:
    random = Random(seed)
    columns = tuple(sorted(random.sample(range(6), random.randint(0, 4))))
    left, wanted = random.randint(1, 4), random.randint(1, 70)
    sums = {
        sum((column + 1) * count for column, count in zip(used, counts, strict=True))
        for size in range(min(left, len(columns)) + 1)
        for used in combinations(columns, size)
        for counts in product(range(6), repeat=size)
    }

    # Full house and the straights never take the place of another box.
    future = fold(WORTH, left, (*columns, 8, 9, 10), 0, wanted)

    assert future.wanted == min((total for total in sums if total >= wanted), default=0)


def test_a_bonus_that_is_won_or_beyond_any_card_is_not_wanted() -> None:
    assert fold(WORTH, 2, (3, 4, 5), 0, 0).wanted == 0
    assert fold(WORTH, 2, (3, 4, 5), 0, 10**30).wanted == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_larger_lanes_are_those_of_comparing_each(seed: int) -> None:
    random, width, count = Random(seed), 2, 7
    layout = Lanes(width, count)
    rows = [[random.choice([0, 1, 7, random.randrange(1 << 15)]) for _ in range(count)] for _ in range(6)]
    rows.append([lane + 1 if lane < 1 << 14 else lane for lane in rows[0]])  # as large or larger in every lane
    packed = [sum(lane << (8 * width * place) for place, lane in enumerate(row)) for row in rows]

    def unpack(lanes: int) -> list[int]:
        return [read_lane(lanes, place, width) for place in range(count)]

    for one, other in product(range(len(rows)), repeat=2):
        expected = list(map(max, rows[one], rows[other]))
        assert unpack(layout.maximum(packed[one], packed[other])) == expected
    indexes = [random.sample(range(len(rows)), random.randint(1, len(rows))) for _ in rows]
    found = layout.find_best(packed, packed, indexes)
    for own, counting, lanes in zip(rows, indexes, found, strict=True):
        assert unpack(lanes) == list(map(max, own, *(rows[index] for index in counting)))
