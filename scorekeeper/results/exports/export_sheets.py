"""Results as tables: headings and rows of texts and numbers, the same for every kind of file.

Every row contains its official status and time, so that a row copied out of its file still has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.core.game import Game
from scorekeeper.agreements.selectors import CardAgreement
from scorekeeper.api.contest_results import ContestResults, get_group_score
from scorekeeper.audience.group_presenter import format_group_name
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import show_line_points, show_total, translate
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.events.event_times import format_time
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.contest_report import CardReport, ReportLine, ReportTurn
from scorekeeper.standings.group_ranking import GroupRanking, GroupRankingRow
from scorekeeper.standings.group_scores import GroupScore
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import (
    STATUS_NAMES,
    describe_decided_by,
    describe_group_rule,
    get_group_score_heading,
)


@dataclass(frozen=True, slots=True)
class PlaceCell:
    """A place: in CSV the text "8=" where it is shared; in a workbook a number shown like that, to be sorted."""

    rank: int
    is_tied: bool

    def __str__(self) -> str:
        return f"{self.rank}=" if self.is_tied else str(self.rank)


CellValue = str | int | float | PlaceCell | None


@dataclass(frozen=True)
class ExportSheet:
    """A table; its rows can be read only once.

    Attributes:
        headings: the heading of each column, by the column's name for programs.
        fixed: how many of the first columns say what a row is about; they stay in view in a workbook.
        means: the columns with means, which have two decimals.
        tenths: the columns whose numbers have one decimal; all others are whole.
        charted_from: the first of the columns whose places a workbook shows as a chart; None for no chart.
    """

    name: str
    headings: Mapping[str, str]
    rows: Iterable[list[CellValue]]
    fixed: int = 0
    means: frozenset[str] = frozenset()
    tenths: frozenset[str] = frozenset()
    charted_from: str | None = None


def make_entrant_headings(results: ContestResults) -> dict[str, str]:
    """Return the headings of the columns that identify a bike or player: a number and riders, or a name."""
    if results.headings.has_numbers:
        # An import reads it again as rider and passengers.
        return {"bike": _("Bike"), "riders": pgettext("column of a file", "Riders")}
    return {"name": results.headings.people}


def make_entrant_cells(results: ContestResults, row: LeaderboardRow | CardReport) -> list[CellValue]:
    """Return the cells for these columns."""
    people = results.people.get(row.entrant_id, "")
    return [parse_bike_number(row.number), people] if results.headings.has_numbers else [people]


def describe_row(results: ContestResults, row: LeaderboardRow) -> str:
    """Return how official a row of the standings is; during a reveal, some are announced and some are frozen."""
    return _("Announced") if results.board.is_being_revealed and not row.is_withheld else results.official_text


def mark_practice(table: ExportSheet) -> ExportSheet:
    """Return the table of a practice event with a first column that says so in every row."""
    rows: Iterable[list[CellValue]] = ([_("Practice"), *row] for row in table.rows)
    return replace(table, headings={"practice": _("Practice"), **table.headings}, rows=rows, fixed=table.fixed + 1)


def mark_class(table: ExportSheet, name: str) -> ExportSheet:
    """Return the table of a class with a first column that says so in every row."""
    rows: Iterable[list[CellValue]] = ([name, *row] for row in table.rows)
    return replace(table, headings={"class": _("Class"), **table.headings}, rows=rows, fixed=table.fixed + 1)


def parse_bike_number(text: str) -> CellValue:
    """Return a bike's number as an integer, unless it is one like "57 (2)"."""
    return int(text) if text.isascii() and text.isdigit() else text


def make_place_cell(row: LeaderboardRow | GroupScore[UUID]) -> CellValue:
    """Return the place of a row; a dash for one without a place."""
    return "–" if row.rank is None else PlaceCell(row.rank, row.is_tied)


def make_standings_sheet(results: ContestResults) -> ExportSheet:
    """Return the standings for a workbook: that of organisers also has each bike's group and machine."""
    table = make_standings_table(results)
    if not (results.is_for_organisers and results.headings.has_numbers):
        return table
    bikes = Bike.entrants.filter(event=results.contest.event).select_related("group")
    found: dict[UUID, list[CellValue]] = {
        bike.pk: ["" if bike.group is None else bike.group.name, f"{bike.make} {bike.model}".strip()] for bike in bikes
    }
    empty: list[CellValue] = ["", ""]
    headings = [*table.headings.items()]
    more = [("group", _("Group")), ("machine", _("Machine"))]
    return replace(
        table,
        headings=dict([*headings[: table.fixed], *more, *headings[table.fixed :]]),
        rows=(
            [*cells[: table.fixed], *found.get(row.entrant_id, empty), *cells[table.fixed :]]
            for row, cells in zip(results.rows, table.rows, strict=True)
        ),
    )


def make_standings_table(results: ContestResults) -> ExportSheet:
    """Return the standings."""
    headings = {
        "place": _("Place"),
        **make_entrant_headings(results),
        **name_totals(results),
        **({"distance": _("Distance from the target")} if results.has_distances else {}),
        **({"margin": results.headings.margin} if results.headings.margin else {}),
        **_get_count_headings(results.contest),
        "status": _("Status"),
        "last_change": _("Last change"),
        "decided_by": _("Decided by"),
        **({"witness": _("Witness")} if results.cuts_cards else {}),
        **_get_class_headings(results),
        "result": _("Result"),
    }
    rows = (_make_standings_row(results, row) for row in results.rows)
    return ExportSheet(_("Standings"), headings, rows, fixed=1 + len(make_entrant_headings(results)))


def name_totals(results: ContestResults) -> dict[str, str]:
    """Return the headings of a total: of its number, and of the text where a game has one."""
    total = results.headings.total
    if results.contest.game.describe_total(0) is None:
        return {"total": total}
    return {"total": _("%(total)s, as a number") % {"total": total}, "total_text": total}


def make_total_cells(results: ContestResults, total: int) -> list[CellValue]:
    """Return the cells of a total."""
    game = results.contest.game
    return [total] if game.describe_total(total) is None else [total, show_total(game, total)]


def _get_count_headings(contest: Contest) -> dict[str, str]:
    """Return the heading of the column that counts turns or tables, if the game has one."""
    columns = get_kind(contest.game).export
    is_counted = columns.is_always_counted or contest.game.many_cards
    return {columns.count_key: str(columns.count)} if is_counted else {}


def _make_standings_row(results: ContestResults, row: LeaderboardRow) -> list[CellValue]:
    changed = None if row.last_change is None else format_time(row.last_change, results.contest.event)
    return [
        make_place_cell(row),
        *make_entrant_cells(results, row),
        *make_total_cells(results, row.total),
        *([results.get_distance(row)] if results.has_distances else []),
        *([row.margin] if results.headings.margin else []),
        *([row.turn_count] if _get_count_headings(results.contest) else []),
        str(STATUS_NAMES[row.status]),
        changed,
        describe_decided_by(row, results.contest.game),
        *([results.get_witness(row.entrant_id)] if results.cuts_cards else []),
        *_make_class_cells(results, row),
        describe_row(results, row),
    ]


def _get_class_headings(results: ContestResults) -> dict[str, str]:
    """Return the headings of the classes, and of the place in each; an import of a roster reads the first."""
    if not results.board.classes:
        return {}
    places = {
        f"place_in_class_{number}": _("Place in %(name)s") % {"name": one.name}
        for number, one in enumerate(results.board.classes, 1)
    }
    return {"classes": _("Classes"), **places}


def _make_class_cells(results: ContestResults, row: LeaderboardRow) -> list[CellValue]:
    if not results.board.classes:
        return []
    own = {one.class_id: one for one in results.list_classes(row)}
    places: list[CellValue] = []
    for one in results.board.classes:
        found = own.get(one.id)
        places.append(None if found is None else "–" if found.rank is None else PlaceCell(found.rank, found.is_tied))
    return [", ".join(one.name for one in own.values()), *places]


def make_groups_table(results: ContestResults) -> ExportSheet | None:
    """Return the groups in order; None if the contest does not compare its groups."""
    groups = results.board.groups
    if groups is None:
        return None
    if sells_sheets(results.contest):
        counted, size = _("Sheets that count"), _("Sheets in the ranking")
    elif results.headings.has_numbers:
        counted, size = _("Bikes that count"), _("Bikes in the ranking")
    else:
        counted, size = _("Players who count"), _("Players in the ranking")
    headings = {
        "place": _("Place"),
        "group": _("Group"),
        "score": get_group_score_heading(groups.rule),
        "counted": counted,
        "size": size,
        "rule": _("Rule"),
        "result": _("Result"),
    }
    rows = (_make_group_row(results, groups, row) for row in groups.rows)
    means: frozenset[str] = frozenset() if groups.rule.best else frozenset(["score"])
    return ExportSheet(_("Groups"), headings, rows, fixed=2, means=means)


def _make_group_row(results: ContestResults, groups: GroupRanking, row: GroupRankingRow) -> list[CellValue]:
    return [
        make_place_cell(row.score),
        format_group_name(results.group_names, row.group_id),
        get_group_score(groups, row),
        row.score.counted,
        row.score.size,
        describe_group_rule(groups.rule),
        results.official_text,
    ]


def make_cards_table(results: ContestResults) -> ExportSheet:
    """Return the scorecards: a row for each seat, with every line of the score sheet and where each turn was rolled."""
    cards = results.report.cards
    lines = _name_lines(cards[0].lines) if cards else {}
    number_heading = get_kind(results.contest.game).export.card
    table = {"table": str(number_heading)} if number_heading else {}
    ordinals = [number for number, _stop in results.slots]
    about = {**table, **make_entrant_headings(results)}
    agreed = {"agreed": _("Agreed")} if get_kind(results.contest.game).is_agreed_to else {}
    headings = {**about, **lines, **name_turns(results.slots), **agreed, "result": _("Result")}
    rows = (_make_card_row(results, card, ordinals) for card in cards)
    return ExportSheet(_("Scorecards"), headings, rows, fixed=len(about))


def name_turns(slots: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Return the heading of each turn's column; takes the ordinals and the stops of the turns.

    Its key is not that of a line of the score sheet, which may be "turn_1".
    """
    return {
        f"at_turn_{number}": _("Turn %(number)s, %(stop)s") % {"number": number, "stop": stop} for number, stop in slots
    }


def _name_lines(lines: Sequence[ReportLine]) -> dict[str, str]:
    """Return the labels of a score sheet's lines by key, with their section if several lines have the same label."""
    counts = Counter(line.label for line in lines)
    return {
        line.key: translate(line.label_text)
        if counts[line.label] == 1 or line.section_text is None
        else _("%(section)s: %(line)s") % {"section": translate(line.section_text), "line": translate(line.label_text)}
        for line in lines
    }


def _make_card_row(results: ContestResults, card: CardReport, ordinals: list[int]) -> list[CellValue]:
    game = results.contest.game
    turn_texts = {turn.ordinal: _describe_turn(game, turn) for turn in card.turns}
    points = [show_line_points(game, line.kind, line.points) for line in card.lines]
    table: list[CellValue] = [card.table] if card.table else []
    agreement = results.get_agreement(card)
    return [
        *table,
        *make_entrant_cells(results, card),
        *points,
        *(turn_texts.get(number, "") for number in ordinals),
        *([] if agreement is None else [_describe_agreement(agreement)]),
        results.official_text,
    ]


def _describe_turn(game: Game[Any], turn: ReportTurn) -> str:
    """Return the box and the points of a turn; where turns have none, its cards, or that it was missed."""
    label = translate(turn.label_text)
    if not game.points_of_turns:
        return show_faces(turn.dice) or label
    return _("%(box)s: %(points)s") % {"box": label, "points": turn.points}


def _describe_agreement(agreement: CardAgreement) -> str:
    if agreement.current is not None:
        return _("Yes")
    return _("No") if agreement.earlier is None else _("Changed since")


def make_prizes_table(results: ContestResults) -> ExportSheet:
    """Return the published prizes in the order of announcing, with a row for each winner, or one if nobody won."""
    number = {"bike": _("Bike")} if results.headings.has_numbers else {}
    headings = {
        "prize": _("Prize"),
        "sponsor": _("Sponsor"),
        "for": _("For"),
        **number,
        "winner": _("Winner"),
        "how": _("How"),
        "decided": _("Decided"),
        "reason": _("Reason"),
        "result": _("Result"),
    }
    return ExportSheet(_("Prizes"), headings, _list_prize_rows(results), fixed=1)


def make_prizes_sheet(results: ContestResults) -> ExportSheet | None:
    """Return the published prizes for a workbook, which has no sheet for none."""
    return make_prizes_table(results) if results.awards else None


def _list_prize_rows(results: ContestResults) -> Iterator[list[CellValue]]:
    for award in results.awards:
        for winner in award.winners or (None,):
            number = parse_bike_number(winner.number) if winner else ""
            yield [
                award.title,
                award.sponsor,
                award.what_for,
                *([number] if results.headings.has_numbers else []),
                winner.people if winner else "",
                winner.how if winner else "",
                award.outcome_text,
                award.reason,
                results.official_text,
            ]
