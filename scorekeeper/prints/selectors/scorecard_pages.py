"""Scorecards as pages: filled in, with the same lines as the page of a bike or of a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.players.selectors import format_holder
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.selectors.card_layout import lay_out_lines
from scorekeeper.prints.selectors.print_source import NothingToPrint, PrintSource
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.contest_report import CardReport, ReportTurn
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.selectors.audience import StandingsView
from scorekeeper.standings.wording import format_row_status


def make_scorecards(source: PrintSource) -> PrintDocument:
    """Return the scorecards of a contest, or those of one bike or player."""
    board, cards = _read_cards(source)
    rows = {row.holder_id: row for row in board.rows}
    slug = f"{source.the_contest.slug}-scorecards"
    if source.holder_id is not None:
        slug = f"{source.the_contest.slug}-scorecard-{cards[0].number or str(source.holder_id)[:8]}"
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
    holder = source.holder_id
    board, report = source.report
    if holder is None:
        return board, report.cards
    cards = [card for card in report.cards if card.holder_id == holder]
    if any(card.table for card in cards):
        tables = {card.card_id for card in cards}
        return board, [card for card in report.cards if card.card_id in tables]
    return board, cards or [_read_blank_card(source.view, source, holder)]


def _read_blank_card(view: StandingsView, source: PrintSource, holder: UUID) -> CardReport:
    """Return the card of a bike that has not rolled."""
    bike = Bike.objects.filter(event=source.event, pk=holder, merged_into=None).first()
    if bike is None or not get_kind(source.the_contest.game).enters_roster:
        raise NothingToPrint
    return view.get_card(bike.pk, bike.label)[1]


def _describe_card(card: CardReport, rows: dict[UUID, LeaderboardRow], source: PrintSource) -> dict[str, Any]:
    row = rows.get(card.holder_id)
    return {
        **lay_out_lines([card]),
        "number": card.number,
        "name": source.people.get(card.holder_id, ""),
        "place": "" if row is None or not row.is_ranked else row.rank_label,
        "about": "" if row is None else format_row_status(row, source.the_contest.game),
        "turns": [_describe_turn(turn) for turn in card.turns],
        **_PLAIN,
    }


def _describe_table(seats: Sequence[CardReport], source: PrintSource) -> dict[str, Any]:
    names = [format_holder(seat.number, source.people.get(seat.holder_id, "")) for seat in seats]
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


_PLAIN = {"qr": "", "qr_alt": "", "foot": "", "is_blank": False}


def _describe_turn(turn: ReportTurn) -> dict[str, Any]:
    return {
        "number": str(turn.ordinal),
        "stop": turn.stop,
        "dice": [str(face) for face in turn.dice],
        "label": translate(turn.label_text),
        "points": str(turn.points),
    }
