"""What of a card matters for what is still to come.

Cards that differ only in what cannot change the future share a `Future`: points that are scored already are left out,
and the upper section counts only by the points that the bonus still wants, as a sum that the open boxes can give. Of
28,970 cards before a turn of the club's game 1,465 futures remain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, reduce
from operator import or_
from typing import NamedTuple

from games.rock_yahtzee.boxes import BOXES, COLUMN, UPPER, YAHTZEE
from games.rock_yahtzee.odds.throws import FINAL
from games.rock_yahtzee.reach import MAX_POINTS
from games.rock_yahtzee.scoring import ROWS
from games.rock_yahtzee.state import Card, Setup, find_closing_rule, get_entries, get_upper

YAHTZEE_COLUMN = COLUMN[YAHTZEE]
THREE_ALIKE, FOUR_ALIKE, CHANCE = COLUMN["three_of_a_kind"], COLUMN["four_of_a_kind"], COLUMN["chance"]
MAX_UPPER = tuple(MAX_POINTS[box.word] for box in UPPER)
POINTS = tuple(tuple(ROWS[dice][column] for dice in FINAL) for column in range(len(BOXES)))
"""The points of each box, by column, for each of the 252 final dice."""


class Worth(NamedTuple):
    """The part of a ruleset that the future depends on: the points of each Yahtzee, and those of the upper bonus."""

    yahtzees: tuple[int, ...]
    bonus: int


class Future(NamedTuple):
    """A card before a turn, as far as it matters from now on.

    Attributes:
        left: the turns that are left.
        columns: the columns of the open boxes, without Yahtzee.
        scored: how many Yahtzees have been scored; the length of the list once no more can be.
        wanted: the points that the upper section needs for the bonus, or the next larger number that its open boxes can
            give in these turns; 0 if it has the bonus, or cannot get it any more.
    """

    left: int
    columns: tuple[int, ...]
    scored: int
    wanted: int


class Gain(NamedTuple):
    """What scoring in a box brings: the points, a bonus that they earn included, and what is then still to come."""

    points: int
    future: Future


def get_future(setup: Setup, card: Card) -> Future:
    """Return the future of a card before its next turn, whatever dice of that turn are showing, with all open boxes."""
    open_columns = tuple(COLUMN[box.word] for box in BOXES if find_closing_rule(setup, card, box.word) is None)
    scored = len(get_entries(card, YAHTZEE)) if YAHTZEE_COLUMN in open_columns else len(setup.yahtzee_points)
    columns = tuple(column for column in open_columns if column != YAHTZEE_COLUMN)
    wanted = max(setup.threshold - get_upper(card), 0) if setup.bonus else 0
    return Future(setup.turns - len(card.turns), columns, scored, wanted)


@lru_cache(maxsize=65536)
def fold(worth: Worth, left: int, columns: tuple[int, ...], scored: int, wanted: int) -> Future:
    """Return the future without what can no longer make a difference."""
    left = min(left, len(columns) + len(worth.yahtzees) - scored)
    wanted = _round_up(wanted, columns, left) if wanted > 0 else 0
    return Future(left, _drop_useless(left, columns, wanted), scored, wanted)


def _round_up(wanted: int, columns: tuple[int, ...], left: int) -> int:
    """Return the smallest sum of so many points or more that upper boxes can give in time; 0 if there is none."""
    larger = _list_sums(tuple(column for column in columns if column < len(UPPER)), left) >> wanted
    return wanted + (larger & -larger).bit_length() - 1 if larger else 0


@cache
def _list_sums(columns: tuple[int, ...], left: int) -> int:
    """Return a number whose bits say which sums some of these upper boxes can give in these turns."""
    sums = [1]  # by the number of boxes that are used
    for column in columns:
        more = [0, *(reduce(or_, (bits << points for points in set(POINTS[column]))) for bits in sums)]
        sums = [one | other for one, other in zip(more, [*sums, 0], strict=True)][: left + 1]
    return reduce(or_, sums)


def _drop_useless(left: int, columns: tuple[int, ...], wanted: int) -> tuple[int, ...]:
    """Return the columns without those in whose place another one always gives as much, and is sure to be free.

    Four of a kind never gives more than three of a kind, nor that more than chance, nor an upper box without a bonus.
    """
    useless: set[int] = set()
    if left == 1 and CHANCE in columns:
        useless = {THREE_ALIKE, FOUR_ALIKE}
        useless.update(column for column, most in enumerate(MAX_UPPER) if wanted <= 0 or most < wanted)
    elif THREE_ALIKE in columns and (left == 1 or (left == 2 and CHANCE in columns)):
        useless = {FOUR_ALIKE}
    return tuple(column for column in columns if column not in useless) if useless else columns


def list_gains(worth: Worth, future: Future) -> Iterator[tuple[int, dict[int, Gain]]]:
    """Give each open box, by its column, with what each number of points brings: in the order of the card.

    The points are those of `POINTS`; in the column of Yahtzee any number but 0 stands for the next one of the list.
    """
    left, columns, scored, wanted = future
    used_up = len(worth.yahtzees)
    for column in range(len(BOXES)):
        if column == YAHTZEE_COLUMN and scored < used_up:
            yield (
                column,
                {
                    0: Gain(0, fold(worth, left - 1, columns, used_up, wanted)),
                    POINTS[column][0]: Gain(worth.yahtzees[scored], fold(worth, left - 1, columns, scored + 1, wanted)),
                },
            )
        elif column in columns:
            others = tuple(other for other in columns if other != column)
            yield column, {points: _gain(worth, future, column, others, points) for points in set(POINTS[column])}


def _gain(worth: Worth, future: Future, column: int, others: tuple[int, ...], points: int) -> Gain:
    wanted = future.wanted
    if not wanted or column >= len(UPPER):
        return Gain(points, fold(worth, future.left - 1, others, future.scored, wanted))
    bonus = worth.bonus if points >= wanted else 0
    return Gain(points + bonus, fold(worth, future.left - 1, others, future.scored, max(wanted - points, 0)))
