"""The value of a fresh card of R.O.C.K. Yahtzee as a textbook finds it, for `solving_odds` to compare with.

Nothing is folded: every card before a turn, with its upper total as it is, is worked out by itself, with all 462 sets
of dice to keep, each over all 252 results. The points of the boxes are the game's own.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from operator import mul
from typing import NamedTuple

from games.rock_yahtzee.boxes import BOXES, UPPER, YAHTZEE
from games.rock_yahtzee.scoring import ROWS
from games.rock_yahtzee.state import Setup

ROLLS = tuple(combinations_with_replacement(range(1, 7), 5))
KEEPS = tuple(keep for size in range(6) for keep in combinations_with_replacement(range(1, 7), size))
YAHTZEE_COLUMN = next(column for column, box in enumerate(BOXES) if box.word == YAHTZEE)


class _Card(NamedTuple):
    left: int
    columns: tuple[int, ...]
    upper: int = 0
    yahtzees: int = 0


class PlainCards:
    """The values of all cards of a ruleset.

    Attributes:
        count: how many cards have been worked out.
    """

    def __init__(self, setup: Setup):
        self._setup = setup
        numbers: dict[tuple[int, ...], int] = {roll: number for number, roll in enumerate(ROLLS)}
        self._chances = []
        for keep in KEEPS:
            row = [0.0] * len(ROLLS)
            for thrown in product(range(1, 7), repeat=5 - len(keep)):
                row[numbers[tuple(sorted(keep + thrown))]] += 1 / 6 ** (5 - len(keep))
            self._chances.append(row)
        places = {keep: place for place, keep in enumerate(KEEPS)}
        self._keeps = [
            sorted({places[keep] for size in range(6) for keep in combinations(roll, size)}) for roll in ROLLS
        ]
        self._values: dict[_Card, float] = {}

    @property
    def count(self) -> int:
        return len(self._values)

    def get_fresh_value(self) -> float:
        """Return the expected total of a card that nobody has played on."""
        return self._get(_Card(self._setup.turns, tuple(range(len(BOXES)))))

    def _get(self, card: _Card) -> float:
        """Return the points still to come on average, the bonus included once it is earned."""
        if not card.left or not card.columns:
            return 0.0
        if card not in self._values:
            values = [max(self._score(card, column, roll) for column in card.columns) for roll in ROLLS]
            for _ in range(2):
                kept = [sum(map(mul, row, values)) for row in self._chances]
                values = [max([kept[place] for place in places]) for places in self._keeps]
            self._values[card] = sum(map(mul, self._chances[0], values))
        return self._values[card]

    def _score(self, card: _Card, column: int, roll: tuple[int, ...]) -> float:
        points, upper, yahtzees, columns = ROWS[roll][column], card.upper, card.yahtzees, list(card.columns)
        if column == YAHTZEE_COLUMN and points:
            points = self._setup.yahtzee_points[yahtzees]
            yahtzees += 1
        if column != YAHTZEE_COLUMN or not points or yahtzees == len(self._setup.yahtzee_points):
            columns.remove(column)
        if column < len(UPPER):
            upper += points
            points += self._setup.bonus * (card.upper < self._setup.threshold <= upper)
        return points + self._get(_Card(card.left - 1, tuple(columns), upper, yahtzees))
