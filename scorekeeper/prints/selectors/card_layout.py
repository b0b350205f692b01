"""Where the lines of a score sheet are on a page: sections beside each other where they fit, as on the club's card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorekeeper.common.game_adapter import translate
from scorekeeper.standings.contest_report import CardReport

POINTS_WIDTH, ALL_SEATS_WIDTH = 18, 110  # millimetres: of one box, and of those of all seats of a table
MOST_LINES = 30  # of one column with high rows
FEWEST_LINES = 10  # that are worth a second column
EMPTY = "–"

Section = dict[str, Any]


def lay_out_lines(seats: Sequence[CardReport], names: Sequence[str] = (), *, is_blank: bool = False) -> dict[str, Any]:
    """Return the lines of a card in columns; what belongs to no section, such as the grand total, is below.

    Args:
        seats: the parts of one card, with the same lines.
        names: of the seats, for the heads of their columns; nothing for a card with one seat.
        is_blank: whether people fill it in with a pen.
    """
    sections = _list_sections(seats, is_blank=is_blank)
    with_heading = [section for section in sections if section["heading"]]
    below = [section for section in sections if not section["heading"]] if with_heading else []
    beside = with_heading or sections
    columns = [beside]
    if len(seats) == 1 and len(beside) > 1 and sum(map(_count, beside)) >= FEWEST_LINES:
        columns = _split(beside)
    width = POINTS_WIDTH if len(seats) == 1 else min(40, ALL_SEATS_WIDTH // len(seats))
    longest = max((sum(map(_count, column)) for column in columns), default=0)
    return {
        "seats": list(names),
        "widths": [width] * len(seats),
        "columns": columns,
        "below": below,
        "is_dense": longest > MOST_LINES,
    }


def _count(section: Section) -> int:
    return len(section["lines"]) + 1


def _split(sections: list[Section]) -> list[list[Section]]:
    """Return the sections in two columns whose lengths differ as little as possible, in their order."""

    def compare(at: int) -> int:
        return abs(sum(map(_count, sections[:at])) - sum(map(_count, sections[at:])))

    best = min(range(1, len(sections)), key=compare)
    return [sections[:best], sections[best:]]


def _list_sections(seats: Sequence[CardReport], *, is_blank: bool) -> list[Section]:
    sections: list[Section] = []
    last: str | None = None
    for lines in zip(*(seat.lines for seat in seats), strict=True):
        line = lines[0]
        if not sections or line.section != last:
            heading = "" if line.section_text is None else translate(line.section_text)
            sections.append({"heading": heading, "lines": []})
        last = line.section
        stops = "" if is_blank or len(seats) > 1 else ", ".join(seats[0].turns[turn - 1].stop for turn in line.turns)
        points = ["" if is_blank else EMPTY if cell.points is None else str(cell.points) for cell in lines]
        shown = {"label": translate(line.label_text), "kind": line.kind, "where": stops, "points": points}
        sections[-1]["lines"].append(shown)
    return sections
