"""Handouts: what is printed for the tables of a game, as plain data that any printer can lay out.

Terms: a *handout* is a page or more under one title. It has *panels*, each with *blocks* of one kind. A *drawing* is
SVG without texts; texts are always beside it or on it, so that they can be translated and typed by anyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.core.text import Text, gettext_noop

TIES_ARE_CUT = gettext_noop("Ties are broken by cutting cards. The highest card is best.")

Word = Text | str  # a text for people, or one that a person typed


class Point(NamedTuple):
    """A sentence of a summary, with the clause that it sums up."""

    text: Text
    rule: str
    params: Mapping[str, Any] = {}


class Points(NamedTuple):
    """Sentences, one below the other."""

    points: tuple[Point, ...]


class Chart(NamedTuple):
    """A table of texts and numbers; the first column says what a row is."""

    headings: tuple[Word, ...]
    rows: tuple[tuple[Word, ...], ...]


class Boxes(NamedTuple):
    """A row of empty boxes to be crossed out."""

    label: Word
    number: int


class Drawing(NamedTuple):
    """A picture, as wide as its panel."""

    svg: str
    alt: Word


class Tile(NamedTuple):
    """A small square picture with a text on it.

    Attributes:
        is_light: whether the text on it is light, because the picture is dark.
    """

    svg: str
    label: str
    caption: Word = ""
    is_light: bool = False


class Tiles(NamedTuple):
    """Small pictures beside each other.

    Attributes:
        size: of each, in millimetres.
        are_cut: whether they are cut out, so that they are drawn edge to edge.
    """

    tiles: tuple[Tile, ...]
    size: int
    are_cut: bool = False


class Track(NamedTuple):
    """Numbered spaces in lanes, across the page.

    Attributes:
        line_after: the last space before the finish line.
    """

    spaces: int
    lanes: tuple[Word, ...]
    line_after: int
    line: Word


Block = Points | Chart | Boxes | Drawing | Tiles | Track


class Panel(NamedTuple):
    """Blocks below a heading; "" for none."""

    heading: Word
    blocks: tuple[Block, ...]


class Handout(NamedTuple):
    """What is printed under one title.

    Attributes:
        key: the name of its file; "rules" is the summary of the rules, which every game has.
        columns: how many panels are beside each other.
        is_across: whether the paper lies on its long side.
    """

    key: str
    title: Text
    panels: tuple[Panel, ...]
    columns: int = 1
    is_across: bool = False


def list_rules_in_words(handouts: Iterable[Handout]) -> list[Point]:
    """Return the sentences of the summary of the rules; none where a game prints none."""
    return [
        point
        for handout in handouts
        if handout.key == "rules"
        for panel in handout.panels
        for block in panel.blocks
        if isinstance(block, Points)
        for point in block.points
    ]


def make_drawing(width: int, height: int, shapes: str) -> str:
    """Return an SVG of this size. Its shapes are made of numbers only, never of what people typed."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{shapes}</svg>'
