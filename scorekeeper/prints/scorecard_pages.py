"""Scorecards on paper: filled in, empty, and the sheets of a stop with a row for each bike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game
from scorekeeper.audience.visible_standings import StandingsView
from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.common.game_adapter import show_line_points, show_total, translate
from scorekeeper.common.playing_cards import show_face
from scorekeeper.crew.selectors import list_groups, list_groups_with_crew
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant, format_riders, join_names, list_riders, list_roster
from scorekeeper.prints.print_document import PrintDocument, draw_qr_code
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.standings.contest_report import CardReport, ReportLine, ReportTurn
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import format_row_status, label_total
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import list_slots, list_stops

POINTS_WIDTH, WORDS_WIDTH, ALL_SEATS_WIDTH = 18, 60, 110  # millimetres: of one box, and of those of all seats
MOST_LINES = 30  # of one column with high rows
FEWEST_LINES = 10  # that are worth a second column
EMPTY = "–"
Section = dict[str, Any]
_PLAIN = {"qr": "", "qr_alt": "", "foot": "", "is_blank": False}


def lay_out_lines(
    game: Game[Any], seats: Sequence[CardReport], names: Sequence[str] = (), *, is_blank: bool = False
) -> dict[str, Any]:
    """Return the lines of a card in columns; what belongs to no section, such as the grand total, is below.

    Args:
        seats: the parts of one card, with the same lines.
        names: of the seats, for the heads of their columns; nothing for a card with one seat.
        is_blank: whether people fill it in with a pen.
    """
    sections = _list_sections(game, seats, is_blank=is_blank)
    with_heading = [section for section in sections if section["heading"]]
    below = [section for section in sections if not section["heading"]] if with_heading else []
    beside = with_heading or sections
    columns = [beside]
    if len(seats) == 1 and len(beside) > 1 and sum(map(_count, beside)) >= FEWEST_LINES:
        columns = _split(beside)
    own_width = POINTS_WIDTH if game.compares_totals else WORDS_WIDTH
    width = own_width if len(seats) == 1 else min(40, ALL_SEATS_WIDTH // len(seats))
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


def _list_sections(game: Game[Any], seats: Sequence[CardReport], *, is_blank: bool) -> list[Section]:
    sections: list[Section] = []
    last: str | None = None
    for lines in zip(*(seat.lines for seat in seats), strict=True):
        line = lines[0]
        if not sections or line.section != last:
            heading = "" if line.section_text is None else translate(line.section_text)
            sections.append({"heading": heading, "lines": []})
        last = line.section
        stops = "" if is_blank or len(seats) > 1 else ", ".join(seats[0].turns[turn - 1].stop for turn in line.turns)
        shown_points = [show_line_points(game, cell.kind, cell.points) for cell in lines]
        points = ["" if is_blank else EMPTY if shown is None else str(shown) for shown in shown_points]
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
            **get_labels(source.the_contest),
            "empty": str(get_kind(source.the_contest.game).wording.nobody_started),
            "cards": [
                _describe_table(list(seats), source) if table else _describe_card(next(seats), rows, source)
                for (table, _card), seats in groupby(cards, key=lambda card: (card.table, card.card_id))
            ],
        },
        slug,
    )


def get_labels(contest: Contest, *, is_blank: bool = False) -> dict[str, Any]:
    """Return the texts around all scorecards of a contest, and how many cards are drawn in a turn; 0 where it has dice.

    Args:
        is_blank: whether people fill them in with a pen. They work out the hand once, at the end.
    """
    game, cards = contest.game, count_cards(contest)
    headings = [_("Turn"), _("Stop"), _("Dice")]
    if cards:
        headings[2] = label_pen_cards(cards) if is_blank else ngettext("Card", "Cards", cards)
    if game.points_of_turns:
        headings += [_("Scored in"), _("Points")]
    elif not is_blank:
        headings.append(_("%(total)s so far") % {"total": label_total(game)})
    return {
        "place_label": _("Place"),
        "turns_title": _("Turn by turn"),
        "turn_headings": headings,
        "has_points": game.points_of_turns,
        "cards_drawn": cards,
    }


def count_cards(contest: Contest) -> int:
    """Return how many cards a turn draws; 0 for a contest with dice, or without turns at stops."""
    return (list_input_methods(contest.ruleset).cards or 0) if contest.game.slot_option else 0


def label_pen_cards(count: int) -> str:
    """Return the heading of the cards of a turn that are written with a pen."""
    return ngettext("Card: rank and suit", "Cards: rank and suit", count)


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
    bike = list_sheets(source.the_contest).filter(pk=entrant).first()
    if bike is None or not get_kind(source.the_contest.game).enters_roster:
        raise NothingToPrint
    return view.get_card(bike.pk, bike.label)[1]


def _describe_card(card: CardReport, rows: dict[UUID, LeaderboardRow], source: PrintSource) -> dict[str, Any]:
    row = rows.get(card.entrant_id)
    return {
        **lay_out_lines(source.the_contest.game, [card]),
        "number": card.number,
        "name": source.people.get(card.entrant_id, ""),
        "place": "" if row is None or not row.is_ranked else row.rank_label,
        "about": "" if row is None else format_row_status(row, source.the_contest.ruleset),
        "turns": _describe_turns(source.the_contest, card.turns),
        **_PLAIN,
    }


def _describe_table(seats: Sequence[CardReport], source: PrintSource) -> dict[str, Any]:
    names = [format_entrant(seat.number, source.people.get(seat.entrant_id, "")) for seat in seats]
    table = _("Table %(number)s") % {"number": seats[0].table}
    is_alone = len(seats) == 1
    return {
        **lay_out_lines(source.the_contest.game, seats, () if is_alone else names),
        "number": "",
        "name": names[0] if is_alone else table,
        "place": "",
        "about": table if is_alone else "",
        "turns": [],
        **_PLAIN,
    }


def _describe_turns(contest: Contest, turns: Sequence[ReportTurn]) -> list[dict[str, Any]]:
    """Return the turns; where they have no points, each says what the card came to after it."""
    ruleset, shown = contest.ruleset, []
    for number, turn in enumerate(turns, 1):
        label, points = translate(turn.label_text), str(turn.points)
        if not ruleset.game.points_of_turns:
            standing = ruleset.game.standing_after(ruleset, [one.to_result() for one in turns[:number]])
            label, points = "" if turn.dice else label, str(show_total(ruleset.game, standing.total))
        dice = [show_face(face) for face in turn.dice]
        shown.append(
            {
                "number": str(turn.ordinal),
                "stop": turn.stop,
                "dice": dice,
                "label": label,
                "points": points,
                "blanks": 0,
            }
        )
    return shown


def make_blank_cards(source: PrintSource) -> PrintDocument:
    """Return the blank scorecards of a contest, or that of one bike."""
    contest = source.the_contest
    return PrintDocument(
        "scorecards",
        source.paper,
        source.make_plain_frame(_("Blank scorecards")),
        {**get_labels(contest, is_blank=True), "empty": _("There are no bikes yet."), "cards": _list_cards(source)},
        f"{contest.slug}-blank-cards",
    )


def _list_cards(source: PrintSource) -> list[dict[str, Any]]:
    contest = source.the_contest
    layout = lay_out_lines(contest.game, [_make_blank(contest)], is_blank=True)
    blank = {"dice": [], "label": "", "points": "", "blanks": count_cards(contest)}
    turns = [{"number": str(slot.ordinal), "stop": slot.stop.name, **blank} for slot in list_slots(contest)]
    bought = list_input_methods(contest.ruleset).bought
    if bought is not None:
        most = bought[2]
        texts = (_("Extra card %(number)s of %(of)s") % {"number": number + 1, "of": most} for number in range(most))
        turns += [{"number": "", "stop": text, **blank, "blanks": 1} for text in texts]
    groups: dict[UUID | None, list[Bike]] = {}
    for sheet in list_sheets(contest):
        if source.entrant_id in (None, sheet.pk):
            groups.setdefault(sheet.group_id, []).append(sheet)
    order = [*list_groups(source.event).values_list("pk", flat=True), None]
    bikes = [sheet for group_id in order for sheet in groups.get(group_id, ())]
    if source.entrant_id is not None and not bikes:
        raise NothingToPrint
    riders = list_riders(contest, bikes)
    return [{**layout, **_describe_bike(bike, riders[bike.pk]), "turns": turns} for bike in bikes]


def _describe_bike(bike: Bike, riders: Sequence[str]) -> dict[str, Any]:
    # The code is the bike's: it leads to the first of its sheets that has still to roll.
    url = settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.real_bike_id)])
    return {
        "number": bike.label,
        "name": join_names(riders),
        "about": bike.group.name if bike.group else "",
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
    further: dict[UUID, list[Bike]] = {}
    for sheet in FurtherSheet.objects.filter(event=event).order_by("sheet_contest__ordinal", "sheet"):
        further.setdefault(sheet.real_bike_id, []).append(sheet)
    sheets = [
        {
            **_describe_stop(stop, turns),
            "group": roster.group.name if roster.group else _("No group yet"),
            "crew": crews.get(roster.group.pk, "") if roster.group else "",
            "bikes": [
                {"number": row.label, "name": format_riders(bike)}
                for bike in roster.bikes
                if not bike.did_not_start
                for row in (bike, *_list_sheets_at(turns, further.get(bike.pk, ())))
            ],
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
            "crew_label": _("Crew"),
            "time_label": _("Arrived, left:"),
            "sheets": [sheet for sheet in sheets if sheet["bikes"]],
        },
        "stop-sheets",
    )


def _list_sheets_at(turns: Sequence[Slot], sheets: Sequence[Bike]) -> list[Bike]:
    """Return the further sheets that roll at a stop; where several contests are there, each number once."""
    contests = {slot.contest_id for slot in turns}
    return list({sheet.sheet: sheet for sheet in sheets if sheet.sheet_contest_id in contests}.values())


def _describe_stop(stop: Stop, turns: Sequence[Slot]) -> dict[str, Any]:
    contests = {slot.contest_id for slot in turns}
    return {
        "stop": stop.name,
        "about": [text for text in (stop.hours, stop.address, stop.crew_note) if text],
        "turns": [
            {
                "name": _("Turn %(number)s") % {"number": slot.ordinal}
                if len(contests) == 1
                else _("%(contest)s, turn %(number)s") % {"contest": slot.contest.name, "number": slot.ordinal},
                **_describe_pen_columns(slot.contest),
            }
            for slot in turns
        ],
    }


def _describe_pen_columns(contest: Contest) -> dict[str, Any]:
    """Return the columns in which a turn is written with a pen, and how many cards it draws; 0 where it has dice."""
    cards = count_cards(contest)
    if cards:
        return {"parts": [label_pen_cards(cards)], "cards": cards}
    return {"parts": [_("Scored in"), _("Points")] if contest.game.points_of_turns else [_("Dice")], "cards": 0}
