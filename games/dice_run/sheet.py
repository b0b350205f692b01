"""The score sheet, line by line: a line for each turn, and the total."""

from __future__ import annotations

from games.core.sheet import Cell, Line
from games.core.text import gettext_noop
from games.dice_run.state import Setup, Sheet, get_total

TOTAL = gettext_noop("Total")
TURNS = (
    gettext_noop("Turn 1"),
    gettext_noop("Turn 2"),
    gettext_noop("Turn 3"),
    gettext_noop("Turn 4"),
    gettext_noop("Turn 5"),
    gettext_noop("Turn 6"),
    gettext_noop("Turn 7"),
    gettext_noop("Turn 8"),
    gettext_noop("Turn 9"),
    gettext_noop("Turn 10"),
    gettext_noop("Turn 11"),
    gettext_noop("Turn 12"),
    gettext_noop("Turn 13"),
    gettext_noop("Turn 14"),
    gettext_noop("Turn 15"),
)


def list_lines(setup: Setup, sheet: Sheet) -> tuple[Line, ...]:
    """Return the lines of one sheet, each with one cell. A turn that has not ended is empty."""
    return (
        *(_make_turn_line(sheet, number) for number in range(1, setup.turns + 1)),
        Line("total", TOTAL, "DICE-7", (Cell(get_total(setup, sheet)),), "total"),
    )


def _make_turn_line(sheet: Sheet, number: int) -> Line:
    has_ended = number <= len(sheet.turns)
    cell = Cell(sheet.turns[number - 1].points, (number,)) if has_ended else Cell()
    return Line(f"turn_{number}", TURNS[number - 1], "DICE-6", (cell,), turn=number)
