"""The score sheet: the lines of a printed score card, each with the clause that it comes from."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.core.text import Text

LineKind = Literal["line", "subtotal", "total"]

# How a turn was recorded: roll by roll, by its final dice, from a paper card, or not at all because it was missed.
TurnSource = Literal["rolls", "final", "paper", "missed"]


class Cell(NamedTuple):
    """One seat's part of a line.

    Attributes:
        points: None while the cell is empty.
        turns: the turns (counted from 1) that filled it.
    """

    points: int | None = None
    turns: tuple[int, ...] = ()


class Line(NamedTuple):
    """A line of the sheet, with a cell per seat."""

    key: str
    label: Text
    rule: str
    cells: tuple[Cell, ...]
    kind: LineKind = "line"
    section: Text | None = None  # the heading above this line and its neighbours


class ScoreSheet(NamedTuple):
    """All lines in the order of the printed card, and the total of each seat."""

    lines: tuple[Line, ...]
    totals: tuple[int, ...]


class Turn(NamedTuple):
    """One turn that a seat has played, as a list of turns shows it.

    Attributes:
        line: the key of the sheet line that it scored on; None if it scored on none.
        label: that line's label, or what happened instead.
        points: the points that it scored.
        dice: the turn's last dice, if they are known.
        how: how the turn was recorded.
    """

    line: str | None
    label: Text
    points: int
    dice: tuple[int | str, ...] = ()
    how: TurnSource = "rolls"


def is_same_turn(first: Turn | None, second: Turn | None) -> bool:
    """Return whether two entries of a turn agree: the same line, points and last dice, in any order.

    Dice that only one of the two has do not count as a difference: a paper card has none.
    """
    if first is None or second is None or (first.line, first.points) != (second.line, second.points):
        return False
    return not first.dice or not second.dice or sorted(map(str, first.dice)) == sorted(map(str, second.dice))
