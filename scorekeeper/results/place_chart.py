"""The places of a contest over its stops, as a chart: where its lines and labels are.

The template draws it as SVG, with classes for everything that has a colour. Places go down the page. The first ten in
the end have lines and labels of their own; everyone else is a thin line. The places from 1 to 10 have the same distance
however many there are, so that their labels never overlap, and the places below share what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.game import Ruleset
from scorekeeper.audience.visible_standings import PublicRevision, get_public_revision, read_public_report
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.players.selectors import format_entrant
from scorekeeper.standings.place_history import PlaceHistory, PlaceLine, make_place_history

HIGHLIGHTED = 10  # lines of their own
NAMED_PER_LABEL = 3  # of the entrants that share a place
DENSE = 60  # other lines

# In the units of the chart, which are CSS pixels.
COLUMN = 76
LEFT, TOP, BOTTOM = 44, 112, 20
LETTER = 10.5  # the width of a bold letter or digit, at most on average
ROW = 24  # between the first ten places
REST_HEIGHT = 300  # at most, for all places below
MAX_LABEL = 16  # characters of a stop's name
STRIDES = (1, 5, 10, 25, 50, 100, 250, 1_000, 10_000)
AXIS_GAP = 18  # between the labels of the places below the tenth


class Mark(NamedTuple):
    """A label of an axis, or a dot."""

    x: float
    y: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The line of one of the first ten.

    Attributes:
        position: in the standings, from 1; it selects the colour.
        points: for the SVG element `polyline`.
        title: what the line is about, with all places.
    """

    position: int
    points: str
    dots: tuple[Mark, ...]
    title: str


@dataclass(frozen=True, slots=True)
class PlaceChart:
    """A chart, and the table that says the same.

    Attributes:
        rest: all lines that are not highlighted, for the SVG element `path`; "" if there are none.
        is_dense: whether they are so many that they have to be faint.
        summary: what the chart shows, for those who cannot see it.
        columns: the headings of the steps.
        rows: the label of each entrant with its places, in words of the leaderboard.
    """

    width: int
    height: int
    top: float
    bottom: float
    stops: tuple[Mark, ...]
    axis: tuple[Mark, ...]
    lines: tuple[ChartLine, ...]
    rest: str
    is_dense: bool
    labels: tuple[Mark, ...]
    summary: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def get_place_chart(contest: Contest, people: Mapping[UUID, str]) -> PlaceChart | None:
    """Return the chart of an official contest, from its last revision.

    None before, while a freeze withholds the result, and where there are no stops.

    Args:
        people: the public names of each bike.
    """
    revision = get_public_revision(contest)
    history = None if revision is None else _get_history(revision, contest.ruleset)
    return None if history is None else make_place_chart(history, people, has_sheets=sells_sheets(contest))


@lru_cache(maxsize=32)
def _get_history(revision: PublicRevision, ruleset: Ruleset) -> PlaceHistory | None:
    # A revision never changes, and has no names.
    return make_place_history(read_public_report(revision), ruleset)


def make_place_chart(history: PlaceHistory, people: Mapping[UUID, str], *, has_sheets: bool = False) -> PlaceChart:
    """Return the chart of places.

    Args:
        people: the names of each bike.
        has_sheets: whether bikes can have several sheets, each with a place of its own.
    """
    first, rest = history.lines[:HIGHLIGHTED], history.lines[HIGHLIGHTED:]
    scale = _Scale(_get_last_rank(history))
    columns = (*(f"{step.ordinal}. {step.stop}" for step in history.steps), _("Final"))
    end = LEFT + COLUMN * len(history.steps)
    labels = tuple(_list_labels(first, scale, end + 14))
    longest = max(len(label.text) for label in labels)
    return PlaceChart(
        width=end + round(LETTER * longest) + 24,
        height=round(scale.bottom + BOTTOM),
        top=TOP - 10,
        bottom=scale.bottom,
        stops=tuple(Mark(LEFT + COLUMN * at, TOP - 18, _shorten(text)) for at, text in enumerate(columns)),
        axis=tuple(Mark(LEFT - 12, scale.get_y(rank), str(rank)) for rank in scale.list_labelled()),
        lines=tuple(_make_line(line, position, scale, people) for position, line in enumerate(first, 1)),
        rest=" ".join(_make_path(line, scale) for line in rest),
        is_dense=len(rest) > DENSE,
        labels=labels,
        summary=_summarize(history, has_sheets=has_sheets),
        columns=columns,
        rows=tuple(
            (format_entrant(line.number, people.get(line.entrant_id, "")), _list_labels_of(line))
            for line in history.lines
        ),
    )


class _Scale:
    """Turns a place into a height."""

    def __init__(self, last_rank: int) -> None:
        below = max(0, last_rank - HIGHLIGHTED)
        self._last_rank = last_rank
        self._step = min(ROW, REST_HEIGHT / below) if below else ROW
        self.bottom = self.get_y(last_rank)

    def get_y(self, rank: int) -> float:
        """Return the height of a place."""
        below = max(0, rank - HIGHLIGHTED)
        return round(TOP + ROW * (min(rank, HIGHLIGHTED) - 1) + self._step * below, 1)

    def list_labelled(self) -> list[int]:
        """Return the places that have a label on the axis: all of the first ten, then round numbers and the last."""
        stride = next(stride for stride in STRIDES if stride * self._step >= AXIS_GAP)
        round_ranks = [
            rank
            for rank in range(stride, self._last_rank, stride)
            if min(rank - HIGHLIGHTED, self._last_rank - rank) * self._step >= AXIS_GAP
        ]
        last = [self._last_rank] if self._step * (self._last_rank - HIGHLIGHTED) >= AXIS_GAP else []
        return [*range(1, min(self._last_rank, HIGHLIGHTED) + 1), *round_ranks, *last]


def _get_last_rank(history: PlaceHistory) -> int:
    return max(place.rank for line in history.lines for place in (*line.places, line.final) if place is not None)


def _list_dots(line: PlaceLine, scale: _Scale) -> tuple[Mark, ...]:
    return tuple(
        Mark(LEFT + COLUMN * at, scale.get_y(place.rank))
        for at, place in enumerate((*line.places, line.final))
        if place is not None
    )


def _make_line(line: PlaceLine, position: int, scale: _Scale, people: Mapping[UUID, str]) -> ChartLine:
    dots = _list_dots(line, scale)
    entrant = format_entrant(line.number, people.get(line.entrant_id, ""))
    title = _("%(entrant)s, places: %(places)s") % {"entrant": entrant, "places": ", ".join(_list_labels_of(line))}
    return ChartLine(position, " ".join(f"{dot.x},{dot.y}" for dot in dots), dots, title)


def _make_path(line: PlaceLine, scale: _Scale) -> str:
    return "M" + "L".join(f"{dot.x},{dot.y}" for dot in _list_dots(line, scale))


def _list_labels_of(line: PlaceLine) -> tuple[str, ...]:
    return tuple("–" if place is None else place.label for place in (*line.places, line.final))


def _list_labels(lines: Iterable[PlaceLine], scale: _Scale, x: float) -> Iterator[Mark]:
    """Yield the labels at the ends of lines, one for each place: "2= Bikes 12, 57"."""
    for place, same in groupby(lines, key=lambda line: line.final):
        numbers = [line.number for line in same]
        more = len(numbers) - NAMED_PER_LABEL
        named = ", ".join(numbers[:NAMED_PER_LABEL]) + (f" +{more}" if more > 0 else "")
        bikes = format_entrant(named, "") if len(numbers) == 1 else _("Bikes %(numbers)s") % {"numbers": named}
        yield Mark(x, scale.get_y(place.rank), f"{place.label} {bikes}")


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LABEL else f"{text[: MAX_LABEL - 1].rstrip()}…"


def _summarize(history: PlaceHistory, *, has_sheets: bool) -> str:
    text = _("How the places of %(count)s bikes changed from turn to turn. The table below the chart says the same.")
    if has_sheets:
        text = _(
            "How the places of %(count)s sheets changed from turn to turn. The table below the chart says the same."
        )
    return text % {"count": len(history.lines)}
