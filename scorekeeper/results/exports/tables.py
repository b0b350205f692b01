"""Results as tables: headings and rows of texts and whole numbers, the same whatever kind of file they go into.

Every row says how official it is and as of when, so that a line that was cut out of its file still does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.common.rules import say
from scorekeeper.events.models import Contest
from scorekeeper.standings.board import Board, BoardRow
from scorekeeper.standings.headings import Headings, get_headings
from scorekeeper.standings.report import Report, ReportCard, ReportLine
from scorekeeper.standings.wording import STATUS_NAMES, say_decision, say_official, say_time
from scorekeeper.stops.models import Slot

Value = str | int | None


@dataclass(frozen=True)
class Table:
    """A table; its rows may be read once.

    Attributes:
        headings: what people read over each column, by the column's name for programs.
    """

    name: str
    headings: Mapping[str, str]
    rows: Iterable[list[Value]]


@dataclass(frozen=True)
class Results:
    """What an export is made of: a contest's report, and who plays.

    Attributes:
        people: who is behind each bike or player.
    """

    contest: Contest
    board: Board
    report: Report
    people: Mapping[UUID, str]

    @cached_property
    def headings(self) -> Headings:
        """What stands over the standings."""
        return get_headings(self.contest)

    @property
    def holder_headings(self) -> dict[str, str]:
        """The headings of the columns that say who it is: a number and riders, or a name."""
        if self.headings.has_numbers:
            return {"bike": _("Bike"), "riders": self.headings.people}
        return {"name": self.headings.people}

    def tell_holder(self, one: BoardRow | ReportCard) -> list[Value]:
        """Return who it is, for these columns."""
        people = self.people.get(one.holder_id, "")
        return [number_of(one.number), people] if self.headings.has_numbers else [people]

    @property
    def rows(self) -> tuple[BoardRow, ...]:
        """The standings, and after them everybody who has not rolled."""
        return (*self.report.rows, *self.report.absent)

    @property
    def official(self) -> str:
        """How official the figures are, and as of when."""
        return say_official(self.board, self.contest.event)


def number_of(text: str) -> Value:
    """Return a bike's number as a number, unless it is one like "57 (2)"."""
    return int(text) if text.isascii() and text.isdigit() else text


def make_standings(results: Results) -> Table:
    """Return the standings."""
    headings = {
        "place": _("Place"),
        **results.holder_headings,
        "total": results.headings.total,
        **_count_headings(results.contest),
        "status": _("Status"),
        "last_change": _("Last change"),
        "decided_by": _("Decided by"),
        "result": _("Result"),
    }
    return Table(_("Standings"), headings, (_standings_row(results, row) for row in results.rows))


def _count_headings(contest: Contest) -> dict[str, str]:
    """Return the heading over what each has played, where that is more than one card tells."""
    if contest.game.recorded_by == "turn":
        return {"turns": _("Turns")}
    return {"tables": _("Tables")} if contest.game.many_cards else {}


def _standings_row(results: Results, row: BoardRow) -> list[Value]:
    changed = None if row.last_change is None else say_time(row.last_change, results.contest.event)
    return [
        row.rank_label,
        *results.tell_holder(row),
        row.total,
        *([row.turns] if _count_headings(results.contest) else []),
        str(STATUS_NAMES[row.status]),
        changed,
        say_decision(row),
        results.official,
    ]


def make_cards(results: Results) -> Table:
    """Return the cards: a row for each seat, with every line of the sheet and where each turn was rolled."""
    cards = results.report.cards
    lines = _name_lines(cards[0].lines) if cards else {}
    table = {} if results.contest.game.recorded_by == "turn" else {"table": _("Table")}
    slots = Slot.objects.filter(contest=results.contest).order_by("ordinal").values_list("ordinal", "stop__name")
    ordinals = [number for number, _stop in slots]
    turns = {
        f"turn_{number}": _("Turn %(number)s, %(stop)s") % {"number": number, "stop": stop} for number, stop in slots
    }
    headings = {**table, **results.holder_headings, **lines, **turns, "result": _("Result")}
    return Table(_("Cards"), headings, (_cards_row(results, card, ordinals) for card in cards))


def _name_lines(lines: Sequence[ReportLine]) -> dict[str, str]:
    """Return the labels of a sheet's lines by key, with their section where a label alone is that of several."""
    counts = Counter(line.label for line in lines)
    return {
        line.key: say(line.label_text)
        if counts[line.label] == 1 or line.section_text is None
        else _("%(section)s: %(line)s") % {"section": say(line.section_text), "line": say(line.label_text)}
        for line in lines
    }


def _cards_row(results: Results, card: ReportCard, ordinals: list[int]) -> list[Value]:
    told = {
        turn.ordinal: _("%(box)s: %(points)s") % {"box": say(turn.label_text), "points": turn.points}
        for turn in card.turns
    }
    points = [line.points for line in card.lines]
    table: list[Value] = [card.table] if card.table else []
    return [
        *table,
        *results.tell_holder(card),
        *points,
        *(told.get(number, "") for number in ordinals),
        results.official,
    ]
