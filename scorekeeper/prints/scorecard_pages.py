"""Scorecards on paper: filled in, empty, and the sheets of a stop with a row for each bike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.audience.visible_standings import StandingsView
from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant, format_riders, list_roster
from scorekeeper.prints.print_document import PrintDocument, draw_qr_code
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.contest_report import CardReport, ReportLine, ReportTurn
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import format_row_status
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import list_slots, list_stops

POINTS_WIDTH, ALL_SEATS_WIDTH = 18, 110  # millimetres: of one box, and of those of all seats of a table
MOST_LINES = 30  # of one column with high rows
FEWEST_LINES = 10  # that are worth a second column
EMPTY = "–"
Section = dict[str, Any]
_PLAIN = {"qr": "", "qr_alt": "", "foot": "", "is_blank": False}


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


def make_scorecards(source: PrintSource) -> PrintDocument:
    """Return the scorecards of a contest, or those of one bike or player."""
    board, cards = _read_cards(source)
    rows = {row.entrant_id: row for row in board.rows}
    slug = f"{source.the_contest.slug}-scorecards"
    if source.entrant_id is not None:
        slug = f"{source.the_contest.slug}-scorecard-{cards[0].number or str(source.entrant_id)[:8]}"
    return PrintDocument(
        "scorecards",
        source.paper,
        source.make_frame(_("Scorecards"), board),
        {
            **get_labels(),
            "empty": str(get_kind(source.the_contest.game).wording.nobody_started),
            "cards": [
                _describe_table(list(seats), source) if table else _describe_card(next(seats), rows, source)
                for (table, _card), seats in groupby(cards, key=lambda card: (card.table, card.card_id))
            ],
        },
        slug,
    )


def get_labels() -> dict[str, Any]:
    """Return the texts around all scorecards."""
    return {
        "place_label": _("Place"),
        "turns_title": _("Turn by turn"),
        "turn_headings": [_("Turn"), _("Stop"), _("Dice"), _("Scored in"), _("Points")],
    }


def _read_cards(source: PrintSource) -> tuple[Leaderboard, Sequence[CardReport]]:
    """Return the cards to print, with the standings. Seats of one table follow each other."""
    entrant = source.entrant_id
    board, report = source.report
    if entrant is None:
        return board, report.cards
    cards = [card for card in report.cards if card.entrant_id == entrant]
    if any(card.table for card in cards):
        tables = {card.card_id for card in cards}
        return board, [card for card in report.cards if card.card_id in tables]
    return board, cards or [_read_blank_card(source.view, source, entrant)]


def _read_blank_card(view: StandingsView, source: PrintSource, entrant: UUID) -> CardReport:
    """Return the card of a bike that has not rolled."""
    bike = Bike.objects.filter(event=source.event, pk=entrant, merged_into=None).first()
    if bike is None or not get_kind(source.the_contest.game).enters_roster:
        raise NothingToPrint
    return view.get_card(bike.pk, bike.label)[1]


def _describe_card(card: CardReport, rows: dict[UUID, LeaderboardRow], source: PrintSource) -> dict[str, Any]:
    row = rows.get(card.entrant_id)
    return {
        **lay_out_lines([card]),
        "number": card.number,
        "name": source.people.get(card.entrant_id, ""),
        "place": "" if row is None or not row.is_ranked else row.rank_label,
        "about": "" if row is None else format_row_status(row, source.the_contest.game),
        "turns": [_describe_turn(turn) for turn in card.turns],
        **_PLAIN,
    }


def _describe_table(seats: Sequence[CardReport], source: PrintSource) -> dict[str, Any]:
    names = [format_entrant(seat.number, source.people.get(seat.entrant_id, "")) for seat in seats]
    table = _("Table %(number)s") % {"number": seats[0].table}
    is_alone = len(seats) == 1
    return {
        **lay_out_lines(seats, () if is_alone else names),
        "number": "",
        "name": names[0] if is_alone else table,
        "place": "",
        "about": table if is_alone else "",
        "turns": [],
        **_PLAIN,
    }


def _describe_turn(turn: ReportTurn) -> dict[str, Any]:
    return {
        "number": str(turn.ordinal),
        "stop": turn.stop,
        "dice": [str(face) for face in turn.dice],
        "label": translate(turn.label_text),
        "points": str(turn.points),
    }


def make_blank_cards(source: PrintSource) -> PrintDocument:
    """Return the blank scorecards of a contest, or that of one bike."""
    contest = source.the_contest
    return PrintDocument(
        "scorecards",
        source.paper,
        source.make_plain_frame(_("Blank scorecards")),
        {**get_labels(), "empty": _("There are no bikes yet."), "cards": _list_cards(source)},
        f"{contest.slug}-blank-cards",
    )


def _list_cards(source: PrintSource) -> list[dict[str, Any]]:
    contest = source.the_contest
    layout = lay_out_lines([_make_blank(contest)], is_blank=True)
    turns = [
        {"number": str(slot.ordinal), "stop": slot.stop.name, "dice": [], "label": "", "points": ""}
        for slot in list_slots(contest)
    ]
    bikes = [
        (bike, roster.group.name if roster.group else "")
        for roster in list_roster(source.event)
        for bike in roster.bikes
        if source.entrant_id in (None, bike.pk)
    ]
    if source.entrant_id is not None and not bikes:
        raise NothingToPrint
    return [{**layout, **_describe_bike(bike, group), "turns": turns} for bike, group in bikes]


def _describe_bike(bike: Bike, group: str) -> dict[str, Any]:
    url = settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)])
    return {
        "number": bike.label,
        "name": format_riders(bike),
        "about": group,
        "place": "",
        "qr": draw_qr_code(url),
        "qr_alt": _("QR code of bike %(number)s") % {"number": bike.label},
        "foot": _("Signed by the crew:"),
        "is_blank": True,
    }


def _make_blank(contest: Contest) -> CardReport:
    ruleset = contest.ruleset
    sheet = ruleset.game.sheet(ruleset.game.start(ruleset, 1))
    lines = tuple(ReportLine.from_line(line) for line in sheet.lines)
    return CardReport(contest.pk, contest.pk, "", 0, lines, ())


def make_stop_sheets(source: PrintSource) -> PrintDocument:
    """Return the sheets of all groups: for each group one page for each of its stops."""
    event = source.event
    crews = {group.pk: ", ".join(member.name for member in group.crew.all()) for group in list_groups_with_crew(event)}
    slots = list(Slot.objects.filter(contest__event=event).select_related("contest").order_by("contest", "ordinal"))
    stops = [(stop, [slot for slot in slots if slot.stop_id == stop.pk]) for stop in list_stops(event)]
    sheets = [
        {
            **_describe_stop(stop, turns),
            "group": roster.group.name if roster.group else _("No group yet"),
            "crew": crews.get(roster.group.pk, "") if roster.group else "",
            "bikes": [{"number": bike.label, "name": format_riders(bike)} for bike in _list_starters(roster.bikes)],
        }
        for roster in list_roster(event)
        for stop, turns in stops
        if turns
    ]
    return PrintDocument(
        "stop_sheets",
        source.paper,
        source.make_plain_frame(_("Stop sheets")),
        {
            "empty": _("No turn is assigned to a stop yet, or there are no bikes."),
            "headings": [_("Bike"), _("Riders")],
            "parts": [_("Scored in"), _("Points")],
            "crew_label": _("Crew"),
            "time_label": _("Arrived, left:"),
            "sheets": [sheet for sheet in sheets if sheet["bikes"]],
        },
        "stop-sheets",
    )


def _list_starters(bikes: Sequence[Bike]) -> list[Bike]:
    return [bike for bike in bikes if not bike.did_not_start]


def _describe_stop(stop: Stop, turns: Sequence[Slot]) -> dict[str, Any]:
    contests = {slot.contest_id for slot in turns}
    return {
        "stop": stop.name,
        "about": [text for text in (stop.hours, stop.address, stop.crew_note) if text],
        "turns": [
            _("Turn %(number)s") % {"number": slot.ordinal}
            if len(contests) == 1
            else _("%(contest)s, turn %(number)s") % {"contest": slot.contest.name, "number": slot.ordinal}
            for slot in turns
        ],
    }
