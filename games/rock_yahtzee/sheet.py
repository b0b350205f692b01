"""The printed card, line by line: both sections with their totals, the bonus and the grand total."""

from __future__ import annotations

from games.core.sheet import Cell, Line, LineKind
from games.core.text import Text, gettext_noop
from games.rock_yahtzee.boxes import LOWER, UPPER, Box
from games.rock_yahtzee.state import Card, Setup, get_bonus, get_total, get_upper

UPPER_SECTION = gettext_noop("Upper section")
LOWER_SECTION = gettext_noop("Lower section")
GRAND_TOTAL = gettext_noop("Grand total")
UPPER_SUM = gettext_noop("Sum of the upper section")
UPPER_BONUS = gettext_noop("Bonus")
UPPER_TOTAL = gettext_noop("Upper section with its bonus")
LOWER_TOTAL = gettext_noop("Sum of the lower section")


def list_lines(setup: Setup, card: Card) -> tuple[Line, ...]:
    """Return the lines of one card, each with one cell. The bonus stays empty until it is reached."""
    upper, bonus, total = get_upper(card), get_bonus(setup, card), get_total(setup, card)
    return (
        *(_box_line(card, box, UPPER_SECTION) for box in UPPER),
        _sum_line("upper_sum", UPPER_SUM, "ROCK-7", upper, "subtotal", UPPER_SECTION),
        Line("upper_bonus", UPPER_BONUS, "ROCK-8", (Cell(bonus or None),), section=UPPER_SECTION),
        _sum_line("upper_total", UPPER_TOTAL, "ROCK-18", upper + bonus, "subtotal", UPPER_SECTION),
        *(_box_line(card, box, LOWER_SECTION) for box in LOWER),
        _sum_line("lower_total", LOWER_TOTAL, "ROCK-18", total - upper - bonus, "subtotal", LOWER_SECTION),
        _sum_line("grand_total", GRAND_TOTAL, "ROCK-18", total, "total", None),
    )


def _box_line(card: Card, box: Box, section: Text) -> Line:
    numbers = tuple(number for number, turn in enumerate(card.turns, 1) if turn.line == box.word)
    points = sum(card.turns[number - 1].points for number in numbers) if numbers else None
    return Line(box.word, box.label, box.rule, (Cell(points, numbers),), section=section)


def _sum_line(key: str, label: Text, rule: str, points: int, kind: LineKind, section: Text | None) -> Line:
    return Line(key, label, rule, (Cell(points),), kind, section)
