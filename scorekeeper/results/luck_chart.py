"""The expected total of a card after every throw and choice, as a chart: where its line and labels are.

The table on the same page says the same in figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.core.luck import Luck
from scorekeeper.coach.odds_presenter import format_figure

# In the units of the chart, which are CSS pixels.
STEP = 20
LEFT, RIGHT, TOP, HEIGHT, BOTTOM = 64, 72, 40, 200, 24


class LuckMark(NamedTuple):
    """A label or a dot."""

    x: float
    y: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class LuckChart:
    """A chart of one card.

    Attributes:
        points: for the SVG element `polyline`.
        turns: the number of each turn, where it begins.
        start, end: the first and the last value.
        summary: what the chart shows, for those who cannot see it.
    """

    width: int
    height: int
    top: float
    bottom: float
    points: str
    dots: tuple[LuckMark, ...]
    turns: tuple[LuckMark, ...]
    start: LuckMark
    end: LuckMark
    summary: str


def make_luck_chart(luck: Luck) -> LuckChart | None:
    """Return the chart of a card; None if nothing is recorded on it."""
    if not luck.steps:
        return None
    values = [luck.start, *(step.value for step in luck.steps)]
    low, high = min(values), max(values)
    scale = HEIGHT / (high - low or 1)
    dots = tuple(
        LuckMark(LEFT + STEP * at, round(TOP + (high - value) * scale, 1), format_figure(value))
        for at, value in enumerate(values)
    )
    firsts = {step.turn: at for at, step in reversed(list(enumerate(luck.steps)))}
    numbers = sorted(firsts)
    summary = _("From %(start)s before the first roll to %(end)s at the end. The table below says the same.")
    return LuckChart(
        width=LEFT + STEP * (len(values) - 1) + RIGHT,
        height=TOP + HEIGHT + BOTTOM,
        top=TOP - 12,
        bottom=TOP + HEIGHT + 12,
        points=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        turns=tuple(LuckMark(dots[firsts[turn]].x, TOP - 24, str(turn + 1)) for turn in numbers)
        if len(numbers) > 1
        else (),
        start=LuckMark(dots[0].x - 10, dots[0].y, dots[0].text),
        end=LuckMark(dots[-1].x + 10, dots[-1].y, dots[-1].text),
        summary=summary % {"start": dots[0].text, "end": dots[-1].text},
    )
