"""The score sheet: the lines of a printed score card, each with the clause that it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from games.core.text import Params, Text

LineKind = Literal["line", "subtotal", "total"]

# How a turn was recorded: roll by roll, by its final dice, from a paper card, or not at all because it was missed.
TurnSource = Literal["rolls", "final", "paper", "missed"]


class Cell(NamedTuple):
    """One seat's part of a line.

    Attributes:
        points: None while the cell is empty.
        turns: the turns (counted from 1) that filled it.
        words: what is shown instead of the points, filled from `params`; None for the points themselves.
    """

    points: int | None = None
    turns: tuple[int, ...] = ()
    words: Text | None = None
    params: Params = {}  # read only


class Line(NamedTuple):
    """A line of the sheet, with a cell per seat.

    Attributes:
        section: the heading above this line and its neighbours.
        turn: the number of the turn that has this line to itself; 0 for other lines. Turns are numbered as they end, so
            who knows that one was left out moves the later ones down (`place_turns`).
    """

    key: str
    label: Text
    rule: str
    cells: tuple[Cell, ...]
    kind: LineKind = "line"
    section: Text | None = None
    turn: int = 0


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


def place_turns(lines: tuple[Line, ...], ordinals: Sequence[int]) -> tuple[Line, ...]:
    """Return the lines of one seat with each turn in the line of its slot, where turns have lines to themselves.

    Args:
        ordinals: the number of the slot of each turn that has ended, in order.
    """
    cells = {line.turn: line.cells for line in lines if line.turn}
    if not cells or any(ordinal not in cells for ordinal in ordinals):
        return lines
    placed = {ordinal: cells[number] for number, ordinal in enumerate(ordinals, 1)}
    return tuple(line._replace(cells=placed.get(line.turn, (Cell(),))) if line.turn else line for line in lines)


def place_turn(lines: tuple[Line, ...], ordinal: int, turn: Turn) -> Turn:
    """Return a turn with the line of its slot, where turns have lines to themselves."""
    own = {line.key: line.turn for line in lines if line.turn}
    key = next((key for key, number in own.items() if number == ordinal), turn.line)
    return turn._replace(line=key) if turn.line in own else turn
