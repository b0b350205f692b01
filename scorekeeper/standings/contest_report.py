"""A report: the standings and every card of a contest, as plain data.

- A report is folded from the log: all of it, or up to stored chain lengths. A revision freezes a report.
- Exports and the page of a bike are built from a report, so they show the same figures.
- It contains no names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.sheet import Line, LineKind, TurnSource
from games.core.sheet import Turn as TurnResult
from games.core.text import Text
from scorekeeper.standings.group_ranking import GroupRanking
from scorekeeper.standings.leaderboard import BoardClass, LeaderboardRow


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of a card.

    Attributes:
        turns: the turns that filled it, as positions from 1 in the card's list of turns.
    """

    key: str
    label: str
    rule: str
    kind: LineKind
    section: str | None
    points: int | None
    turns: tuple[int, ...]

    @classmethod
    def from_line(cls, line: Line, seat: int = 0) -> ReportLine:
        """Return one seat's part of a line."""
        cell, section = line.cells[seat], line.section
        heading = None if section is None else section.template
        return cls(line.key, line.label.template, line.rule, line.kind, heading, cell.points, cell.turns)

    def to_data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            "key": self.key,
            "label": self.label,
            "rule": self.rule,
            "kind": self.kind,
            "section": self.section,
            "points": self.points,
            "turns": list(self.turns),
        }

    @property
    def label_text(self) -> Text:
        """The label, for translation into any language."""
        return Text(self.label)

    @property
    def section_text(self) -> Text | None:
        """The heading above it, for translation into any language."""
        return None if self.section is None else Text(self.section)


@dataclass(frozen=True, slots=True)
class ReportTurn:
    """A turn of a card, and where it was rolled.

    Attributes:
        ordinal: of its slot.
        label: the label of its line, or what happened instead.
    """

    ordinal: int
    stop: str
    line: str | None
    label: str
    points: int
    dice: tuple[int | str, ...]
    how: TurnSource

    @classmethod
    def from_turn(cls, ordinal: int, stop: str, turn: TurnResult) -> ReportTurn:
        """Return the result of a turn with the place where it was rolled."""
        return cls(ordinal, stop, turn.line, turn.label.template, turn.points, turn.dice, turn.how)

    def to_data(self) -> dict[str, Any]:
        """Return the turn as plain data."""
        return {
            "ordinal": self.ordinal,
            "stop": self.stop,
            "line": self.line,
            "label": self.label,
            "points": self.points,
            "dice": list(self.dice),
            "how": self.how,
        }

    def to_result(self) -> TurnResult:
        """Return the result of the turn, without its place."""
        return TurnResult(self.line, self.label_text, self.points, self.dice, self.how)

    @property
    def label_text(self) -> Text:
        """The label, for translation into any language."""
        return Text(self.label)


@dataclass(frozen=True, slots=True)
class CardReport:
    """One entrant's part of a card: its lines and its turns, in the order they were played.

    Attributes:
        card_id: the same for all seats of one table.
        table: the number of the table, in order of creation; 0 where turns are recorded at the stops.
        damaged_from: the first entry of its log that cannot be read. Reports leave such a card out, so none is frozen.
    """

    card_id: UUID
    entrant_id: UUID
    number: str
    total: int
    lines: tuple[ReportLine, ...]
    turns: tuple[ReportTurn, ...]
    table: int = 0
    damaged_from: int | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the card as plain data."""
        return {
            "card": str(self.card_id),
            "table": self.table,
            "holder": str(self.entrant_id),
            "number": self.number,
            "total": self.total,
            "lines": [line.to_data() for line in self.lines],
            "turns": [turn.to_data() for turn in self.turns],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CardReport:
        """Return the card from plain data."""
        lines = (ReportLine(**{**line, "turns": tuple(line["turns"])}) for line in data["lines"])
        turns = (ReportTurn(**{**turn, "dice": tuple(turn["dice"])}) for turn in data["turns"])
        card_id, entrant_id = UUID(data["card"]), UUID(data["holder"])
        return cls(card_id, entrant_id, data["number"], data["total"], tuple(lines), tuple(turns), data["table"])


@dataclass(frozen=True, slots=True)
class ContestReport:
    """Standings, best first, and cards: in the same order, or table by table.

    Attributes:
        stale_cuts: sequence numbers, in the contest's chain, of the cuts that no longer count.
        absent: the bikes of the roster that have not rolled, in the order of their numbers.
        standings_version: the version of the game's `combine` that ranked the rows.
        groups: the groups in order; None where they are not compared.
        classes: the classes that have members among all rows, in order.
    """

    rows: tuple[LeaderboardRow, ...]
    cards: tuple[CardReport, ...]
    stale_cuts: tuple[int, ...] = ()
    absent: tuple[LeaderboardRow, ...] = ()
    standings_version: int = 1
    groups: GroupRanking | None = None
    classes: tuple[BoardClass, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Return the report as plain data, which a revision stores."""
        return {
            "rows": [row.to_data() for row in self.rows],
            "cards": [card.to_data() for card in self.cards],
            "stale_cuts": list(self.stale_cuts),
            "absent": [row.to_data() for row in self.absent],
            # Version 1 is not written, so reports that were frozen before there were versions keep their digest.
            **({} if self.standings_version == 1 else {"standings_version": self.standings_version}),
            **({} if self.groups is None else {"groups": self.groups.to_data()}),
            **({"classes": [one.to_data() for one in self.classes]} if self.classes else {}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> ContestReport:
        """Return the report from plain data."""
        rows = (LeaderboardRow.from_data(row) for row in data["rows"])
        cards = (CardReport.from_data(card) for card in data["cards"])
        absent = (LeaderboardRow.from_data(row) for row in data.get("absent", ()))  # older revisions have none
        version = data.get("standings_version", 1)
        groups = GroupRanking.from_data(data.get("groups"))
        classes = tuple(map(BoardClass.from_data, data.get("classes", ())))
        return cls(tuple(rows), tuple(cards), tuple(data["stale_cuts"]), tuple(absent), version, groups, classes)

    def get_card(self, entrant_id: UUID) -> CardReport | None:
        """Return the card of a bike, if it has one."""
        return next((card for card in self.cards if card.entrant_id == entrant_id), None)

    def count_missed_turns(self) -> Mapping[UUID, int]:
        """Return how many turns of each entrant are recorded as missed; those without any are left out."""
        return Counter(card.entrant_id for card in self.cards for turn in card.turns if turn.how == "missed")

    def list_tables(self, entrant_id: UUID) -> list[list[CardReport]]:
        """Return the tables where an entrant sits, each with the parts of all its seats, in seat order."""
        by_table: dict[UUID, list[CardReport]] = {}
        for card in self.cards:
            by_table.setdefault(card.card_id, []).append(card)
        return [table for table in by_table.values() if any(part.entrant_id == entrant_id for part in table)]
