"""Blank scorecards: one for each bike, with its number and its code."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_riders, list_roster
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.qr_drawing import draw_qr_code
from scorekeeper.prints.selectors.card_layout import lay_out_lines
from scorekeeper.prints.selectors.print_source import NothingToPrint, PrintSource
from scorekeeper.prints.selectors.scorecard_pages import get_labels
from scorekeeper.standings.contest_report import CardReport, ReportLine
from scorekeeper.stops.selectors import list_slots


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
        if source.holder_id in (None, bike.pk)
    ]
    if source.holder_id is not None and not bikes:
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
