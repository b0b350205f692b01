"""The score sheet: what a printed card would show, line by line, with the clause each line comes from."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.core.text import Text

LineKind = Literal["line", "subtotal", "total"]

# How a turn is known: roll by roll, by its final dice, from a paper card, or not at all since it was missed.
TurnSource = Literal["rolls", "final", "paper", "missed"]


class Cell(NamedTuple):
    """One seat's part of a line.

    Attributes:
        points: None while nothing stands there.
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
    section: Text | None = None  # the heading that it and its neighbours stand under


class ScoreSheet(NamedTuple):
    """All lines in the order of the printed card, and the totals by seat."""

    lines: tuple[Line, ...]
    totals: tuple[int, ...]


class Turn(NamedTuple):
    """One turn that a seat has played, as a list of turns shows it.

    Attributes:
        line: the key of the sheet's line it went to; None when it went nowhere.
        label: that line's label, or what happened instead.
        points: what it scored.
        dice: the turn's last dice, where they are known.
        how: how the turn is known.
    """

    line: str | None
    label: Text
    points: int
    dice: tuple[int | str, ...] = ()
    how: TurnSource = "rolls"


def is_same_turn(one: Turn | None, other: Turn | None) -> bool:
    """Return whether two records of a turn say the same: the same line, points and last dice, in any order.

    Dice that only one of the two knows, as beside a paper card, do not tell them apart.
    """
    if one is None or other is None or (one.line, one.points) != (other.line, other.points):
        return False
    return not one.dice or not other.dice or sorted(map(str, one.dice)) == sorted(map(str, other.dice))
